//! A private desktop session: message bus and unlocked keyring, with folders of its own, and for programs with windows an X server
//! and a window manager. Nothing in it is simulated but the display, and it ends when dropped.

use std::fs;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// A message bus that starts nothing by itself: a keyring that was stopped stays away, and none is there that asks for a
/// password on a screen that nobody sees.
const BUS: &str = r#"<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:tmpdir=TEMPORARY</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
"#;

/// A running session.
#[derive(Debug)]
pub struct Session {
    folder: PathBuf,
    environment: Vec<(&'static str, String)>,
    /// Stopped in reverse order.
    children: Vec<Child>,
    /// Unless it was stopped.
    keyring: Option<Child>,
}

impl Session {
    /// Starts a session whose home is `folder`, with a screen of `width` by `height` pixels.
    ///
    /// # Errors
    /// If one of the programs is not installed, or does not answer within ten seconds.
    pub fn start(folder: &Path, width: u32, height: u32) -> io::Result<Self> {
        let mut session = Self::in_folder(folder)?;
        session.start_screen(width, height)?;
        session.start_bus()?;
        session.spawn(&mut Command::new("openbox"), Stdio::null())?;
        session.start_keyring()?;
        Ok(session)
    }

    /// Starts a session whose home is `folder`, without X server and window manager: for programs without windows, as a headless
    /// browser.
    ///
    /// # Errors
    /// As [`start`](Self::start).
    pub fn start_without_screen(folder: &Path) -> io::Result<Self> {
        let mut session = Self::in_folder(folder)?;
        session.start_bus()?;
        session.start_keyring()?;
        Ok(session)
    }

    /// A session in which nothing runs yet.
    fn in_folder(folder: &Path) -> io::Result<Self> {
        let mut session = Self {
            folder: folder.to_owned(),
            environment: Vec::new(),
            children: Vec::new(),
            keyring: None,
        };
        for (variable, below) in [
            ("HOME", ""),
            ("XDG_DATA_HOME", "data"),
            ("XDG_CONFIG_HOME", "config"),
            ("XDG_CACHE_HOME", "cache"),
            ("XDG_RUNTIME_DIR", "runtime"),
        ] {
            // Joining nothing would leave a slash at the end.
            let path = if below.is_empty() {
                folder.to_owned()
            } else {
                folder.join(below)
            };
            fs::create_dir_all(&path)?;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o700))?;
            session.set(variable, path.display().to_string());
        }
        // Makes xdg-open go through gio, which reads our own desktop entries.
        session.set("XDG_CURRENT_DESKTOP", "GNOME".to_owned());
        session.set("NO_AT_BRIDGE", "1".to_owned());
        session.set("LIBGL_ALWAYS_SOFTWARE", "1".to_owned());
        Ok(session)
    }

    fn start_screen(&mut self, width: u32, height: u32) -> io::Result<()> {
        let screen = format!("{width}x{height}x24");
        let framebuffer = self.folder.display().to_string();
        let display = self.spawn_and_read(Command::new("Xvfb").args([
            "-displayfd",
            "1",
            "-screen",
            "0",
            &screen,
            "-nolisten",
            "tcp",
            "-noreset",
            "-fbdir",
            &framebuffer,
        ]))?;
        self.set("DISPLAY", format!(":{display}"));
        Ok(())
    }

    fn start_bus(&mut self) -> io::Result<()> {
        let configuration = self.folder.join("bus.conf");
        let temporary = std::env::temp_dir().display().to_string();
        fs::write(&configuration, BUS.replace("TEMPORARY", &temporary))?;
        let bus = self.spawn_and_read(
            Command::new("dbus-daemon")
                .arg(format!("--config-file={}", configuration.display()))
                .args(["--nofork", "--print-address=1"]),
        )?;
        self.set("DBUS_SESSION_BUS_ADDRESS", bus);
        Ok(())
    }

    /// The session's home.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The variables that make a program run in this session.
    pub fn environment(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.environment
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
    }

    /// A command that runs in this session.
    #[must_use]
    pub fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.envs(self.environment());
        command.env_remove("WAYLAND_DISPLAY");
        command
    }

    /// Makes `program` what the system opens web addresses with, in place of a browser: it gets the address as its argument.
    ///
    /// # Errors
    /// If the files of the desktop entry cannot be written.
    pub fn open_web_addresses_with(&self, program: &Path) -> io::Result<()> {
        let applications = self.folder.join("data/applications");
        fs::create_dir_all(&applications)?;
        fs::write(
            applications.join("session-browser.desktop"),
            format!(
                "[Desktop Entry]\nType=Application\nName=Browser\nExec={} %u\nMimeType=x-scheme-handler/http;x-scheme-handler/https;\n",
                program.display()
            ),
        )?;
        fs::create_dir_all(self.folder.join("config"))?;
        fs::write(
            self.folder.join("config/mimeapps.list"),
            "[Default Applications]\nx-scheme-handler/http=session-browser.desktop\nx-scheme-handler/https=session-browser.desktop\n",
        )
    }

    /// The pixels of the screen, which the X server keeps in a file: a dump of X Window Dump format, version 7.
    #[must_use]
    pub fn framebuffer(&self) -> PathBuf {
        self.folder.join("Xvfb_screen0")
    }

    /// Writes a screenshot of the whole screen.
    ///
    /// # Errors
    /// If ImageMagick's `import` is not installed or fails.
    pub fn screenshot(&self, file: &Path) -> io::Result<()> {
        let status = self
            .command("import")
            .args(["-window", "root"])
            .arg(file)
            .status()?;
        if status.success() {
            Ok(())
        } else {
            Err(io::Error::other(format!("import ended with {status}")))
        }
    }

    /// Stops the keyring, as if the system had none.
    ///
    /// # Errors
    /// If it does not run.
    pub fn stop_keyring(&mut self) -> io::Result<()> {
        let Some(mut keyring) = self.keyring.take() else {
            return Err(io::Error::other("the keyring does not run"));
        };
        keyring.kill()?;
        keyring.wait().map(drop)
    }

    /// Locks the keyring's collection, as a system does that has been left alone.
    ///
    /// # Errors
    /// If it does not run, or does not lock.
    pub fn lock_keyring(&self) -> io::Result<()> {
        let status = self
            .command("gdbus")
            .args(["call", "--session"])
            .args(["--dest", "org.freedesktop.secrets"])
            .args(["--object-path", "/org/freedesktop/secrets"])
            .args(["--method", "org.freedesktop.Secret.Service.Lock"])
            .arg("['/org/freedesktop/secrets/aliases/default']")
            .stdout(Stdio::null())
            .status()?;
        if status.success() {
            Ok(())
        } else {
            Err(io::Error::other("the keyring did not lock"))
        }
    }

    /// Starts and unlocks the keyring. It must be unlocked at its start: later it would ask in a window.
    ///
    /// # Errors
    /// If it runs already, is not installed or does not answer.
    pub fn start_keyring(&mut self) -> io::Result<()> {
        if self.keyring.is_some() {
            return Err(io::Error::other("the keyring runs already"));
        }
        let mut keyring = self
            .command("gnome-keyring-daemon")
            .args(["--foreground", "--unlock", "--components=secrets"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        if let Some(mut password) = keyring.stdin.take() {
            password.write_all(b"session")?;
        }
        self.keyring = Some(keyring);
        self.wait_for("the keyring", |session| {
            session.has_owner("org.freedesktop.secrets")
        })
    }

    /// Whether a program owns this name on the message bus.
    ///
    /// # Errors
    /// If `gdbus` is not installed.
    pub fn has_owner(&self, name: &str) -> io::Result<bool> {
        let answer = self
            .command("gdbus")
            .args(["call", "--session", "--dest", "org.freedesktop.DBus"])
            .args(["--object-path", "/org/freedesktop/DBus"])
            .args(["--method", "org.freedesktop.DBus.NameHasOwner", name])
            .stderr(Stdio::null())
            .output()?;
        Ok(answer.stdout.starts_with(b"(true"))
    }

    fn set(&mut self, name: &'static str, value: String) {
        self.environment.push((name, value));
    }

    /// Starts a program, and returns its output if that is piped.
    fn spawn(&mut self, command: &mut Command, output: Stdio) -> io::Result<Option<ChildStdout>> {
        let mut child = command
            .envs(self.environment())
            .stdin(Stdio::null())
            .stdout(output)
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| {
                io::Error::new(
                    error.kind(),
                    format!("{}: {error}", command.get_program().display()),
                )
            })?;
        let output = child.stdout.take();
        self.children.push(child);
        Ok(output)
    }

    /// Starts a program that says on its first line where it is to be found.
    fn spawn_and_read(&mut self, command: &mut Command) -> io::Result<String> {
        let mut line = String::new();
        if let Some(output) = self.spawn(command, Stdio::piped())? {
            BufReader::new(output).read_line(&mut line)?;
        }
        let line = line.trim();
        if line.is_empty() {
            return Err(io::Error::other(format!(
                "{} did not start",
                command.get_program().display()
            )));
        }
        Ok(line.to_owned())
    }

    fn wait_for(
        &self,
        what: &str,
        condition: impl Fn(&Self) -> io::Result<bool>,
    ) -> io::Result<()> {
        for _ in 0..200 {
            if condition(self)? {
                return Ok(());
            }
            sleep(Duration::from_millis(50));
        }
        Err(io::Error::new(
            io::ErrorKind::TimedOut,
            format!("{what} did not answer within ten seconds"),
        ))
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let keyring = self.keyring.take().into_iter();
        for mut child in keyring.chain(self.children.drain(..).rev()) {
            // It may have ended by itself; there is nobody left to tell.
            if child.kill().is_ok() {
                drop(child.wait());
            }
        }
    }
}
