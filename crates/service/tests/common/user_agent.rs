//! A browser without a window: it keeps cookies, reads forms and sends them, as a person would.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use reqwest::{Client, StatusCode};
use sha2::{Digest, Sha256};

use super::{Answer, Site};

/// Cookies by name, and the address that the browser is at.
pub struct UserAgent {
    http: Client,
    pub cookies: BTreeMap<String, String>,
    origin: String,
    pub accept_language: &'static str,
}

/// A form of a page.
#[derive(Debug, Clone)]
pub struct Form {
    pub action: String,
    pub hidden: Vec<(String, String)>,
}

/// One attempt to sign in: what the application keeps to itself until the browser comes back.
#[derive(Debug, Clone)]
pub struct Attempt {
    pub client_id: String,
    pub redirect_uri: String,
    pub verifier: String,
    pub parameters: Vec<(String, String)>,
}

/// What the application gets back.
#[derive(Debug, Clone)]
pub struct Callback {
    pub uri: String,
    pub parameters: BTreeMap<String, String>,
}

impl Attempt {
    /// The desktop application's attempt, for `scope`.
    pub fn new(service: &Site, scope: &str) -> Self {
        let verifier = "a-verifier-of-a-test-that-is-long-enough-0123456789".to_owned();
        let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(&verifier));
        let desktop = service.application(invoicing_contract::ready::ApplicationKind::Public);
        // Not the private-use scheme, which is never answered silently without an id_token.
        let redirect_uri = desktop.redirect_uris[1].clone();
        let parameters = [
            ("client_id", &*desktop.client_id),
            ("response_type", "code"),
            ("redirect_uri", &redirect_uri),
            ("scope", scope),
            ("state", "the state"),
            ("nonce", "the nonce"),
            ("code_challenge", &challenge),
            ("code_challenge_method", "S256"),
        ];
        let parameters = parameters
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .to_vec();
        Self {
            client_id: desktop.client_id.clone(),
            redirect_uri,
            verifier,
            parameters,
        }
    }

    /// The same with a parameter set.
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self = self.without(name);
        self.parameters.push((name.to_owned(), value.to_owned()));
        if name == "redirect_uri" {
            value.clone_into(&mut self.redirect_uri);
        }
        self
    }

    /// The same without a parameter.
    pub fn without(mut self, name: &str) -> Self {
        self.parameters.retain(|(known, _)| known != name);
        self
    }

    /// The address to open.
    pub fn path(&self) -> String {
        let query = url::form_urlencoded::Serializer::new(String::new())
            .extend_pairs(&self.parameters)
            .finish();
        format!("/oauth/v2/authorize?{query}")
    }
}

impl Callback {
    /// Where a redirect leads.
    #[track_caller]
    pub fn of(answer: &Answer) -> Self {
        assert_eq!(
            answer.status,
            StatusCode::SEE_OTHER,
            "no redirect: {}",
            answer.body
        );
        let location = answer.header("location");
        let (uri, query) = location.split_once('?').unwrap_or((location, ""));
        let parameters = url::form_urlencoded::parse(query.as_bytes())
            .into_owned()
            .collect();
        Self {
            uri: uri.to_owned(),
            parameters,
        }
    }

    #[track_caller]
    pub fn get(&self, name: &str) -> &str {
        self.parameters
            .get(name)
            .unwrap_or_else(|| panic!("no {name} in {self:?}"))
    }

    pub fn error(&self) -> Option<&str> {
        self.parameters.get("error").map(String::as_str)
    }
}

impl UserAgent {
    pub fn new(service: &Site) -> Self {
        Self {
            http: service.http.clone(),
            cookies: BTreeMap::new(),
            origin: service.ready.auth_url.clone(),
            accept_language: "en",
        }
    }

    /// The same browser, with the service at its new address.
    pub fn at(self, service: &Site) -> Self {
        Self {
            origin: service.ready.auth_url.clone(),
            ..self
        }
    }

    pub async fn get(&mut self, path: &str) -> Answer {
        let request = self.http.get(format!("{}{path}", self.origin));
        self.send(request).await
    }

    pub async fn post(&mut self, path: &str, form: &[(&str, &str)]) -> Answer {
        let request = self.http.post(format!("{}{path}", self.origin)).form(form);
        self.send(request).await
    }

    /// Fills in `fields` beside the hidden ones and sends the form.
    pub async fn submit(&mut self, form: &Form, fields: &[(&str, &str)]) -> Answer {
        let hidden = form
            .hidden
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()));
        let all: Vec<_> = hidden.chain(fields.iter().copied()).collect();
        self.post(&form.action, &all).await
    }

    /// Opens the sign-in page, types name and password, and comes back to the application.
    pub async fn sign_in(&mut self, service: &Site, attempt: &Attempt, username: &str) -> Callback {
        let page = self.get(&attempt.path()).await;
        let password = &service.user(username).password;
        let form = Form::of(&page, "sign-in");
        Callback::of(
            &self
                .submit(&form, &[("username", username), ("password", password)])
                .await,
        )
    }

    async fn send(&mut self, request: reqwest::RequestBuilder) -> Answer {
        let cookies: Vec<_> = self
            .cookies
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        let request = request
            .header("cookie", cookies.join("; "))
            .header("accept-language", self.accept_language);
        let answer = Answer::of(request.send().await.expect("the service answers")).await;
        for set in answer.headers.get_all("set-cookie") {
            let cookie = set.to_str().expect("a cookie of ASCII");
            let (pair, attributes) = cookie.split_once(';').expect("a cookie with attributes");
            let (name, value) = pair.split_once('=').expect("a cookie with a value");
            if attributes.contains("Max-Age=0") {
                self.cookies.remove(name);
            } else {
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
        }
        answer
    }
}

impl Form {
    /// The form with this id in a page.
    #[track_caller]
    pub fn of(page: &Answer, id: &str) -> Self {
        let start = page.body.find(&format!("<form id=\"{id}\""));
        let start =
            start.unwrap_or_else(|| panic!("{} without a form {id}: {}", page.status, page.body));
        let html = &page.body[start..];
        let html = &html[..html.find("</form>").expect("a form ends")];
        let inputs = html
            .split("<input")
            .skip(1)
            .filter(|input| attribute(input, "type") == "hidden");
        let hidden = inputs
            .map(|input| (attribute(input, "name"), attribute(input, "value")))
            .collect();
        Self {
            action: attribute(html, "action"),
            hidden,
        }
    }
}

/// What the form says if somebody of this name is chosen among those who are signed in.
#[track_caller]
pub fn choice(page: &Answer, name: &str) -> String {
    let button = page
        .body
        .split("<button")
        .find(|button| button.contains(name))
        .unwrap_or_else(|| panic!("no {name} to choose in {}", page.body));
    attribute(button, "value")
}

fn attribute(html: &str, name: &str) -> String {
    let marker = format!(" {name}=\"");
    let start = html
        .find(&marker)
        .map_or_else(|| panic!("no {name} in {html}"), |at| at + marker.len());
    let value = &html[start..];
    let value = &value[..value.find('"').expect("a value ends")];
    value
        .replace("&quot;", "\"")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&")
}

/// The claims of a token, unverified: tests of signatures are elsewhere.
pub fn claims(id_token: &str) -> serde_json::Value {
    let payload = id_token.split('.').nth(1).expect("a JWT has three parts");
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(payload).expect("base64url")).expect("JSON")
}
