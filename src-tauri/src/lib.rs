//! The Tauri shell: it opens windows, receives the deep link, and passes every command to the core.

mod commands;
mod deep_link;
mod host;
mod menu;
mod notification;
mod opened_files;
mod process_hardening;
mod window;

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use invoicing_client::{
    Desktop, Folders, LogTimeline, Network, Setup, SystemClock, SystemRng, system_vault,
};
use invoicing_embedded_service::EmbeddedService;
use tauri::{Manager as _, RunEvent, WindowEvent};
use tauri_plugin_deep_link::DeepLinkExt as _;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::writer::MakeWriterExt as _;

use crate::host::Shell;
use crate::window::LastFocused;

/// What is logged unless the environment says otherwise: our crates from info on, all others from warn on.
const LOG_FILTER: &str = "warn,invoice_desk=info,invoicing_client=info,invoicing_embedded_service=info,invoicing_service=info,\
    invoicing_http=info,invoicing_identity=info,invoicing_gateway=info,invoicing_storage_sqlite=info";

/// Runs the application until its last window closes, or it is told to end.
pub fn run() -> ExitCode {
    let log = LogTimeline::default();
    let timeline = log.clone();
    tracing_subscriber::fmt()
        .with_env_filter(
            EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(LOG_FILTER)),
        )
        .with_writer(std::io::stderr.and(move || timeline.writer()))
        .init();
    process_hardening::apply();
    if rustls::crypto::aws_lc_rs::default_provider()
        .install_default()
        .is_err()
    {
        tracing::warn!("a TLS provider was installed before ours");
    }
    let runtime = match tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => {
            tracing::error!(%error, "the runtime did not start");
            return ExitCode::FAILURE;
        }
    };
    let _entered = runtime.enter();
    tauri::async_runtime::set(runtime.handle().clone());

    match build(log) {
        Ok(app) => {
            app.run(|app, event| {
                // The first events arrive before the desktop is there.
                let desktop = || Some(Arc::clone(app.try_state::<Arc<Desktop>>()?.inner()));
                if let (RunEvent::ExitRequested { .. }, Some(desktop)) = (&event, desktop()) {
                    desktop.begin_exit();
                } else if let (RunEvent::Exit, Some(desktop)) = (&event, desktop()) {
                    // A refresh in flight must be stored before the process ends.
                    tauri::async_runtime::block_on(async move { desktop.stop().await });
                }
            });
            ExitCode::SUCCESS
        }
        Err(error) => {
            tracing::error!(%error, "the application did not start");
            ExitCode::FAILURE
        }
    }
}

fn build(log: LogTimeline) -> tauri::Result<tauri::App> {
    let builder = tauri::Builder::default();
    #[cfg(not(target_os = "linux"))]
    let builder = builder.plugin(tauri_plugin_notification::init());
    builder
        // The first plugin: a second instance must pass its link on before it does anything else.
        .plugin(tauri_plugin_single_instance::init(
            |app, arguments, folder| {
                let handle = app.clone();
                // A second start can come before the first one has its core and its windows. The main thread takes this up after
                // the setup.
                let sent = app.run_on_main_thread(move || {
                    if let Some(desktop) = handle.try_state::<Arc<Desktop>>() {
                        opened_files::deliver(&desktop, &arguments, Path::new(&folder));
                        window::bring_to_front(&handle);
                    }
                });
                if let Err(error) = sent {
                    tracing::warn!(%error, "a second start was not taken up");
                }
            },
        ))
        .plugin(tauri_plugin_deep_link::init())
        .plugin(tauri_plugin_dialog::init())
        .plugin(tauri_plugin_opener::init())
        .plugin(window::state_plugin())
        .invoke_handler(commands::builder().invoke_handler())
        .setup(move |app| {
            let handle = app.handle().clone();
            app.manage(deep_link::Registration::default());
            let paths = app.path();
            let desktop = Desktop::start(Setup {
                host: Arc::new(Shell::new(handle.clone(), log)),
                local: Some(Arc::new(EmbeddedService::new(
                    paths.app_local_data_dir()?.join("local"),
                ))),
                vault: system_vault(),
                folders: Folders {
                    config: paths.app_config_dir()?,
                    data: paths.app_local_data_dir()?,
                },
                network: Network::default(),
                clock: Arc::new(SystemClock::new()),
                rng: Arc::new(SystemRng),
            });
            app.manage(LastFocused::default());
            app.manage(Arc::clone(&desktop));
            app.add_capability(commands::capability())?;
            let mut windows = desktop.saved_windows();
            if windows.is_empty() {
                windows.insert(window::MAIN.into());
            }
            for window in windows {
                window::open(&handle, window.as_str())?;
                desktop.open_window(&window);
            }

            let running = Arc::clone(&desktop);
            app.deep_link()
                .on_open_url(move |event| deep_link::deliver(&running, &event.urls()));
            // A link that started the application arrived before the listener was registered.
            if let Ok(Some(urls)) = app.deep_link().get_current() {
                deep_link::deliver(&desktop, &urls);
            }
            let arguments: Vec<String> = std::env::args().collect();
            let folder = std::env::current_dir().unwrap_or_default();
            opened_files::deliver(&desktop, &arguments, &folder);
            Ok(())
        })
        .on_menu_event(|app, event| menu::choose(app, &event.id().0))
        .on_window_event(|window, event| {
            if let WindowEvent::Destroyed = event {
                let desktop = window.state::<Arc<Desktop>>();
                desktop.close_window(&window.label().into());
            } else if let WindowEvent::Focused(true) = event {
                window.state::<LastFocused>().set(window.label());
            }
        })
        .build(tauri::generate_context!())
}
