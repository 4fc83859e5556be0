//! A generated table of authorization requests: application x redirect URI x `prompt` x session x `id_token_hint` x way of the
//! request. What each cell answers is computed by [`expected`] from decisions 0014 and 0080 and compared with the service.

mod requests;

use std::collections::BTreeSet;

use futures_util::future::join_all;

use self::requests::Table;
use crate::fixtures::{NOURA_ID, SALEM_ID, by_engine};

/// Cells that are requested at the same time.
const CONCURRENT: usize = 24;

/// Declares an enum with the list of its variants.
macro_rules! dimension {
    ($(#[$documentation:meta])* $name:ident { $($variant:ident),+ $(,)? }) => {
        $(#[$documentation])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        enum $name { $($variant),+ }

        impl $name {
            const ALL: &[Self] = &[$(Self::$variant),+];
        }
    };
}

dimension! { Client { Public, WithSecret } }
dimension! {
    /// Kinds of redirect URIs (RFC 8252, 7).
    Redirect {
        ClaimedHttps, HttpsAtLoopback, HttpsAtLocalhost, HttpsAtAddress, LoopbackV4, LoopbackV4OtherPort, LoopbackV6,
        LoopbackV6OtherPort, HttpAtLocalhost, PrivateUse, Unregistered,
    }
}
dimension! {
    Prompt { Absent, None, Login, Consent, SelectAccount, LoginConsent, SelectAccountLogin, ConsentSelectAccount, NoneLogin }
}
dimension! {
    /// Who is signed in with the browser.
    Sessions { Nobody, Noura, Salem, Both, NouraExpired, SomebodyDisabled }
}
dimension! { Hint { Absent, Noura, NouraExpired, Salem, OfAnotherApplication, Forged } }
dimension! {
    /// How the request reaches the authorization endpoint.
    Way { Address, Pushed, PushedWithAccessTokenOfNoura }
}

#[derive(Debug, Clone, Copy)]
struct Cell {
    client: Client,
    redirect: Redirect,
    prompt: Prompt,
    sessions: Sessions,
    hint: Hint,
    way: Way,
}

impl Cell {
    /// Whether it is requested on PostgreSQL too. How a redirect URI compares with the registered ones does not depend on the engine:
    /// there a claimed address, another accepted one and an unknown one have all their cells, and the others have those with nothing
    /// but sessions, in some of which a code is stored for them.
    fn is_for_every_engine(self) -> bool {
        matches!(
            self.redirect,
            Redirect::ClaimedHttps | Redirect::LoopbackV4 | Redirect::Unregistered
        ) || (self.prompt == Prompt::Absent && self.hint == Hint::Absent)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Outcome {
    /// A code for this subject, without a page.
    Code(&'static str),
    /// The page for the password.
    SignInPage,
    /// The page on which one of these people has to be clicked.
    AccountChooser(BTreeSet<&'static str>),
    /// An error at the redirect URI.
    Redirect(&'static str),
    /// An error page. Nothing is redirected.
    ErrorPage,
    /// The request is not accepted where it is pushed.
    PushRefused(&'static str),
}

impl Redirect {
    fn uri(self) -> &'static str {
        match self {
            Self::ClaimedHttps => "https://desk.example/oauth/local",
            Self::HttpsAtLoopback => "https://127.0.0.1/oauth/local",
            Self::HttpsAtLocalhost => "https://localhost:8443/oauth/local",
            Self::HttpsAtAddress => "https://192.0.2.7/oauth/local",
            Self::LoopbackV4 => "http://127.0.0.1/oauth/local",
            Self::LoopbackV4OtherPort => "http://127.0.0.1:49152/oauth/local",
            Self::LoopbackV6 => "http://[::1]/oauth/local",
            Self::LoopbackV6OtherPort => "http://[::1]:7/oauth/local",
            Self::HttpAtLocalhost => "http://localhost/oauth/local",
            Self::PrivateUse => "com.invoicedesk.desktop:/oauth/local",
            Self::Unregistered => "https://evil.example/oauth/local",
        }
    }

    /// Whether the fixture registers it for both applications.
    fn is_registered(self) -> bool {
        !matches!(
            self,
            Self::LoopbackV4OtherPort
                | Self::LoopbackV6OtherPort
                | Self::HttpAtLocalhost
                | Self::Unregistered
        )
    }

    /// Whether it fits a registered one (RFC 8252, 7.3: the port of a native application's loopback address is free).
    fn is_accepted(self, client: Client) -> bool {
        let is_other_port = matches!(self, Self::LoopbackV4OtherPort | Self::LoopbackV6OtherPort);
        self.is_registered() || (is_other_port && client == Client::Public)
    }
}

impl Prompt {
    fn value(self) -> &'static str {
        match self {
            Self::Absent => "",
            Self::None => "none",
            Self::Login => "login",
            Self::Consent => "consent",
            Self::SelectAccount => "select_account",
            Self::LoginConsent => "login consent",
            Self::SelectAccountLogin => "select_account login",
            Self::ConsentSelectAccount => "consent select_account",
            Self::NoneLogin => "none login",
        }
    }
}

impl Sessions {
    /// The people with a live session.
    fn people(self) -> &'static [&'static str] {
        match self {
            Self::Nobody | Self::NouraExpired | Self::SomebodyDisabled => &[],
            Self::Noura => &[NOURA_ID],
            Self::Salem => &[SALEM_ID],
            Self::Both => &[NOURA_ID, SALEM_ID],
        }
    }
}

impl Hint {
    /// The person that a valid hint names; an error if it is none of this application.
    fn subject(self) -> Result<Option<&'static str>, ()> {
        match self {
            Self::Absent => Ok(None),
            // RP-initiated logout and decision 0010 accept an expired id_token as a hint, and so does a request.
            Self::Noura | Self::NouraExpired => Ok(Some(NOURA_ID)),
            Self::Salem => Ok(Some(SALEM_ID)),
            Self::OfAnotherApplication | Self::Forged => Err(()),
        }
    }
}

/// The answer according to decisions 0014 and 0080 and OpenID Connect Core, 3.1.2.
fn expected(cell: Cell) -> Outcome {
    let Cell {
        client,
        redirect,
        prompt,
        sessions,
        hint,
        way,
    } = cell;
    let is_pushed = way != Way::Address;
    let has_access_token = way == Way::PushedWithAccessTokenOfNoura;

    // An application with a secret authenticates by its secret and by nothing else.
    if has_access_token && client == Client::WithSecret {
        return Outcome::PushRefused("invalid_request");
    }
    let invalid = |page| {
        if is_pushed {
            Outcome::PushRefused("invalid_request")
        } else {
            page
        }
    };
    if !redirect.is_accepted(client) {
        return invalid(Outcome::ErrorPage);
    }
    let Ok(hinted) = hint.subject() else {
        return invalid(Outcome::Redirect("invalid_request"));
    };
    if prompt == Prompt::NoneLogin {
        return invalid(Outcome::Redirect("invalid_request"));
    }
    if has_access_token && hinted == Some(SALEM_ID) {
        return Outcome::PushRefused("invalid_request");
    }

    // A hint selects, it gives no right.
    let accounts: BTreeSet<_> = sessions
        .people()
        .iter()
        .copied()
        .filter(|person| hinted.is_none_or(|hinted| hinted == *person))
        .collect();
    let asks_for_nothing = matches!(prompt, Prompt::Absent | Prompt::None);
    if has_access_token && asks_for_nothing {
        if accounts.contains(NOURA_ID) {
            return Outcome::Code(NOURA_ID);
        }
        if prompt == Prompt::None {
            return Outcome::Redirect("login_required");
        }
    }
    // Without the access token only a claimed address tells the application from another program.
    let needs_a_click = client == Client::Public && redirect != Redirect::ClaimedHttps;
    let only_account = match accounts.first() {
        Some(account) if accounts.len() == 1 => Some(*account),
        Some(_) | None => None,
    };
    match prompt {
        Prompt::None if accounts.is_empty() => Outcome::Redirect("login_required"),
        Prompt::None if needs_a_click => Outcome::Redirect("interaction_required"),
        Prompt::None => only_account.map_or(
            Outcome::Redirect("account_selection_required"),
            Outcome::Code,
        ),
        Prompt::Login | Prompt::LoginConsent | Prompt::SelectAccountLogin => Outcome::SignInPage,
        Prompt::Absent
        | Prompt::Consent
        | Prompt::SelectAccount
        | Prompt::ConsentSelectAccount
        | Prompt::NoneLogin
            if accounts.is_empty() =>
        {
            Outcome::SignInPage
        }
        Prompt::Absent if !needs_a_click => {
            only_account.map_or(Outcome::AccountChooser(accounts), Outcome::Code)
        }
        Prompt::Absent
        | Prompt::Consent
        | Prompt::SelectAccount
        | Prompt::ConsentSelectAccount
        | Prompt::NoneLogin => Outcome::AccountChooser(accounts),
    }
}

fn cells() -> Vec<Cell> {
    let mut cells = Vec::new();
    for &client in Client::ALL {
        for &redirect in Redirect::ALL {
            for &prompt in Prompt::ALL {
                for &sessions in Sessions::ALL {
                    for &hint in Hint::ALL {
                        for &way in Way::ALL {
                            cells.push(Cell {
                                client,
                                redirect,
                                prompt,
                                sessions,
                                hint,
                                way,
                            });
                        }
                    }
                }
            }
        }
    }
    cells
}

/// Requests every cell. The cells of one redirect URI are a test of their own, so that none takes long.
macro_rules! table {
    ($($test:ident: $($redirect:ident)+;)+) => {
        $(
            #[tokio::test]
            async fn $test() {
                compare(&[$(Redirect::$redirect),+]).await;
            }
        )+

        #[test]
        fn every_redirect_uri_is_in_one_test_of_the_table() {
            let tested = [$($(Redirect::$redirect),+),+];
            assert_eq!(tested, Redirect::ALL);
            println!("{} authorization requests", cells().len());
            assert_eq!(cells().len(), 2 * 11 * 9 * 6 * 6 * 3);
        }
    };
}

table! {
    table_of_https_redirect_uris_holds: ClaimedHttps HttpsAtLoopback;
    table_of_https_redirect_uris_on_this_computer_holds: HttpsAtLocalhost HttpsAtAddress;
    table_of_ipv4_loopback_redirect_uris_holds: LoopbackV4 LoopbackV4OtherPort;
    table_of_ipv6_loopback_redirect_uris_holds: LoopbackV6 LoopbackV6OtherPort;
    table_of_other_redirect_uris_holds: HttpAtLocalhost PrivateUse Unregistered;
}

async fn compare(redirects: &[Redirect]) {
    let table = Table::start().await;
    let cells: Vec<_> = cells()
        .into_iter()
        .filter(|cell| redirects.contains(&cell.redirect))
        .filter(|cell| by_engine(true, cell.is_for_every_engine()))
        .collect();
    let mut different = Vec::new();
    for some in cells.chunks(CONCURRENT) {
        let outcomes = join_all(some.iter().map(|cell| table.request(*cell))).await;
        for (cell, outcome) in some.iter().zip(outcomes) {
            if outcome != expected(*cell) {
                different.push(format!(
                    "{cell:?}: {outcome:?}, expected {:?}",
                    expected(*cell)
                ));
            }
        }
    }
    assert!(
        different.is_empty(),
        "{} cells differ, the first: {:#?}",
        different.len(),
        &different[..different.len().min(12)]
    );
    table.stop().await;
}
