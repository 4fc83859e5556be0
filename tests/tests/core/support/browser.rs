//! A person at a browser: follows the sign-in pages by their forms, keeps cookies, and tells where it ended.

use std::collections::BTreeMap;

use reqwest::header::{COOKIE, LOCATION, ORIGIN, SET_COOKIE};
use reqwest::redirect::Policy;
use url::Url;

/// A browser with its cookies.
pub(crate) struct Browser {
    client: reqwest::Client,
    cookies: BTreeMap<String, String>,
}

/// What came of a request.
enum Page {
    /// The way back to an application.
    Left(String),
    /// A page of the identity provider.
    Shown { at: Url, html: String },
}

impl Browser {
    pub(crate) fn new() -> Self {
        let client = reqwest::Client::builder()
            .redirect(Policy::none())
            .no_proxy()
            .build()
            .expect("a client");
        Self {
            client,
            cookies: BTreeMap::new(),
        }
    }

    /// Signs in at an address, or confirms who is signed in, and gives the address that the application gets.
    pub(crate) async fn sign_in(
        &mut self,
        address: &Url,
        username: &str,
        password: &str,
    ) -> String {
        let mut page = self.get(address.clone()).await;
        for _ in 0..3 {
            page = match page {
                Page::Left(to) => return to,
                Page::Shown { at, html } if html.contains("name=\"password\"") => {
                    self.submit(
                        &at,
                        &html,
                        &[
                            ("username", username),
                            ("password", password),
                            ("action", "sign-in"),
                        ],
                    )
                    .await
                }
                Page::Shown { at, html } => {
                    let choice = html.split("name=\"account\"").nth(1);
                    let account = attribute(choice.expect("an account to choose"), "value=\"");
                    self.submit(&at, &html, &[("account", &account)]).await
                }
            };
        }
        match page {
            Page::Left(to) => to,
            Page::Shown { html, .. } => panic!("the sign-in did not end: {html}"),
        }
    }

    /// Tries a password, and gives the page that it leads to.
    pub(crate) async fn page_after(
        &mut self,
        address: &Url,
        username: &str,
        password: &str,
    ) -> String {
        let Page::Shown { at, html } = self.get(address.clone()).await else {
            panic!("no sign-in page")
        };
        let form = [
            ("username", username),
            ("password", password),
            ("action", "sign-in"),
        ];
        match self.submit(&at, &html, &form).await {
            Page::Left(to) => to,
            Page::Shown { html, .. } => html,
        }
    }

    /// Follows an address without touching anything, as for `prompt=none`, or presses Cancel.
    pub(crate) async fn cancel(&mut self, address: &Url) -> String {
        match self.get(address.clone()).await {
            Page::Left(to) => to,
            Page::Shown { at, html } => {
                match self.submit(&at, &html, &[("action", "cancel")]).await {
                    Page::Left(to) => to,
                    Page::Shown { html, .. } => panic!("cancelling leads to a page: {html}"),
                }
            }
        }
    }

    async fn submit(&mut self, at: &Url, html: &str, fields: &[(&str, &str)]) -> Page {
        let form = html.split("<form").nth(1).expect("the page has a form");
        let action = at.join(&attribute(form, "action=\"")).expect("an address");
        let token = form
            .split("name=\"page\"")
            .nth(1)
            .map(|rest| attribute(rest, "value=\""))
            .expect("a page token");
        let mut all = vec![("page", token.as_str())];
        all.extend_from_slice(fields);
        let request = self
            .client
            .post(action.clone())
            .header(ORIGIN, at.origin().ascii_serialization())
            .form(&all);
        self.follow(request, action).await
    }

    async fn get(&mut self, address: Url) -> Page {
        let request = self.client.get(address.clone());
        self.follow(request, address).await
    }

    async fn follow(&mut self, mut request: reqwest::RequestBuilder, mut at: Url) -> Page {
        for _ in 0..5 {
            let cookies: Vec<_> = self
                .cookies
                .iter()
                .map(|(name, value)| format!("{name}={value}"))
                .collect();
            let response = request
                .header(COOKIE, cookies.join("; "))
                .send()
                .await
                .expect("the identity provider answers");
            for cookie in response.headers().get_all(SET_COOKIE) {
                let cookie = cookie.to_str().expect("ASCII");
                let (name, rest) = cookie.split_once('=').expect("a cookie");
                self.cookies.insert(
                    name.to_owned(),
                    rest.split(';').next().unwrap_or_default().to_owned(),
                );
            }
            let Some(location) = response.headers().get(LOCATION) else {
                return Page::Shown {
                    at,
                    html: response.text().await.expect("a page"),
                };
            };
            let location = location.to_str().expect("ASCII").to_owned();
            let next = at.join(&location).expect("an address");
            if next.origin() != at.origin() {
                return Page::Left(location);
            }
            at = next;
            request = self.client.get(at.clone());
        }
        panic!("too many redirects")
    }
}

fn attribute(html: &str, name: &str) -> String {
    let value = html
        .split(name)
        .nth(1)
        .and_then(|rest| rest.split('"').next());
    value.expect("the attribute is there").replace("&amp;", "&")
}
