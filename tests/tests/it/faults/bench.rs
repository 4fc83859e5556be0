//! What the cells of one worker share: a service behind two proxies, a browser that stays signed in, a resolver.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use end_to_end::fault_proxy::{FaultProxy, Lasting, TestAuthority};
use invoicing_client::Network;
use invoicing_client::clock::FakeClock;
use invoicing_client::views::SessionView;
use reqwest::Certificate;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::call::Server;
use super::cell::Cell;
use super::fault_kind::Injection;
use crate::fixtures::{Browser, NOURA, Service, TestApp, now};

/// A service with a browser that is signed in to it.
pub(crate) struct Bench {
    pub(crate) service: Service,
    pub(crate) browser: Browser,
    network: Network,
    resolver: Arc<TestResolver>,
    /// How many requests each proxy had held when the last fault ended.
    held: Mutex<[u64; 2]>,
}

/// Finds every host on this computer, unless it is told to fail.
#[derive(Default)]
struct TestResolver {
    failures: AtomicUsize,
}

impl Resolve for TestResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let failed = self
            .failures
            .try_update(Ordering::AcqRel, Ordering::Acquire, |left| {
                left.checked_sub(1)
            })
            .is_ok();
        let found: Result<Addrs, Box<dyn std::error::Error + Send + Sync>> = if failed {
            Err(format!("{} has no address", name.as_str()).into())
        } else {
            Ok(Box::new(std::iter::once(SocketAddr::from((
                Ipv4Addr::LOCALHOST,
                0,
            )))))
        };
        Box::pin(std::future::ready(found))
    }
}

impl Bench {
    /// Starts a service. `tls`: whether the proxies have certificates and host names.
    pub(crate) async fn start(tls: bool) -> Self {
        let resolver = Arc::new(TestResolver::default());
        let (service, network, browser) = if tls {
            let authority = TestAuthority::new();
            let service = Service::start_tls(&authority).await;
            let certificate = Certificate::from_pem(authority.pem().as_bytes()).expect("PEM");
            let network = Network {
                resolver: Some(Arc::clone(&resolver) as Arc<dyn Resolve>),
                certificates: vec![certificate.clone()],
            };
            let client = reqwest::Client::builder()
                .tls_certs_only([certificate])
                .dns_resolver(Arc::new(TestResolver::default()));
            (service, network, Browser::with_client(client))
        } else {
            (Service::start().await, Network::default(), Browser::new())
        };
        Self {
            service,
            browser,
            network,
            resolver,
            held: Mutex::default(),
        }
    }

    /// A client of its own, signed out.
    pub(crate) async fn client(&self) -> TestApp {
        let clock = Arc::new(FakeClock::new(now()));
        TestApp::start_in(&self.service, self.network.clone(), clock).await
    }

    /// Signs a client in, or in again.
    pub(crate) async fn sign_in(&mut self, app: &TestApp) {
        app.clock.set_wall_clock(now());
        app.start_sign_in("local").await;
        let callback = self.callback(app).await;
        app.desktop
            .paste_callback(&app.window, callback)
            .await
            .expect("the sign-in succeeds");
        app.wait_until(|snapshot| matches!(snapshot.session, SessionView::SignedIn { .. }))
            .await;
    }

    /// The callback of the sign-in page that a client has opened.
    pub(crate) async fn callback(&mut self, app: &TestApp) -> String {
        let password = self.service.password(NOURA);
        self.browser
            .sign_in(&app.host.opened_address(), NOURA, &password)
            .await
    }

    pub(crate) fn proxy(&self, server: Server) -> &FaultProxy {
        match server {
            Server::Identity => &self.service.identity,
            Server::Gateway => &self.service.gateway,
        }
    }

    /// Lets the fault of a cell begin.
    pub(crate) async fn begin(&self, cell: Cell, key: &str) {
        let proxy = self.proxy(cell.call.server());
        let before = cell.call.preceded_by(key);
        match (cell.fault.injection(cell.call, key), before) {
            (Injection::Request(fault), _) => {
                proxy.plan(&cell.call.path(key), fault, cell.lasting);
            }
            (Injection::Connection(fault), None) => {
                proxy.plan_connection(fault, cell.lasting).await;
            }
            (Injection::Connection(fault), Some(path)) => {
                proxy.plan_connection_after(&path, fault, cell.lasting);
            }
            (Injection::Resolver, None) => self.fail_resolution(),
            (Injection::Resolver, Some(path)) => {
                let (resolver, observed) = (Arc::clone(&self.resolver), path);
                proxy.observe(Some(Arc::new(move |request| {
                    if request.line().ends_with(observed.as_str()) {
                        resolver.failures.store(usize::MAX, Ordering::Release);
                    }
                })));
            }
        }
        debug_assert!(cell.fault.can_be_once() || cell.lasting == Lasting::UntilCleared);
    }

    fn fail_resolution(&self) {
        self.resolver.failures.store(usize::MAX, Ordering::Release);
    }

    /// Ends every fault.
    pub(crate) async fn recover(&self) {
        self.resolver.failures.store(0, Ordering::Release);
        for proxy in [&self.service.identity, &self.service.gateway] {
            proxy.observe(None);
            proxy.recover().await;
        }
        let held = [self.service.identity.held(), self.service.gateway.held()];
        *self.held.lock().expect("not poisoned") = held;
    }

    /// What the servers have answered since the requests were forgotten.
    pub(crate) fn transcript(&self) -> String {
        let mut lines = Vec::new();
        for (name, proxy) in [
            ("identity", &self.service.identity),
            ("gateway", &self.service.gateway),
        ] {
            let requests = proxy.requests("");
            lines.extend(
                requests
                    .iter()
                    .map(|request| format!("{name} got {}", request.line())),
            );
            let exchanges = proxy.exchanges("");
            lines.extend(exchanges.iter().map(|exchange| {
                format!(
                    "{name} answered {} to {}",
                    exchange.status,
                    exchange.request.line()
                )
            }));
        }
        lines.join("\n")
    }

    /// How many requests identity provider and gateway had held when the last fault ended.
    pub(crate) fn held_before(&self) -> [u64; 2] {
        *self.held.lock().expect("not poisoned")
    }
}
