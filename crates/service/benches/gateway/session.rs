//! The caller of a run: the machine user of the demo seed, its token, and the documents that it reads.

use std::time::{Duration, Instant};

use invoicing_contract::Names;
use invoicing_contract::ready::{ApplicationKind, Ready};
use serde_json::{Value, json};

use crate::load::Problem;
use crate::scenarios::white_space;

/// A client with an access token, for everything that is not load.
pub(crate) struct Session {
    http: reqwest::Client,
    base_url: String,
    /// The access token.
    pub(crate) token: String,
}

impl Session {
    /// Gets a token for the machine user.
    pub(crate) async fn start(ready: &Ready) -> Result<Self, Problem> {
        let machine = ready
            .applications
            .iter()
            .find(|application| application.kind == ApplicationKind::Machine)
            .ok_or("the seed has no machine user")?;
        let secret = machine.client_secret.as_deref();
        let names = Names::default();
        let scope = format!(
            "{} {}",
            names.audience_scope(&ready.audience_id),
            names.home_organization_scope()
        );
        let form = [
            ("grant_type", "client_credentials"),
            ("client_id", &*machine.client_id),
            ("client_secret", secret.ok_or("a machine has a secret")?),
            ("scope", &*scope),
        ];
        let http = reqwest::Client::builder().no_proxy().build()?;
        let request = http.post(format!("{}/oauth/v2/token", ready.auth_url));
        let answer: Value = request
            .form(&form)
            .send()
            .await?
            .error_for_status()?
            .json()
            .await?;
        let token = answer["access_token"].as_str().ok_or("no access token")?;
        Ok(Self {
            http,
            base_url: ready.base_url.clone(),
            token: token.to_owned(),
        })
    }

    /// The body of a list of simple invoices, and how long it took. Equal requests are read from the store again if they have
    /// another `number`.
    pub(crate) async fn list(
        &self,
        request: &Value,
        number: u32,
    ) -> Result<(String, Duration), Problem> {
        let url = format!("{}/api/v1/simple/invoices/list", self.base_url);
        let request = self
            .http
            .post(url)
            .bearer_auth(&self.token)
            .header("content-type", "application/json")
            .body(format!("{request}{}", white_space(number)));
        let began = Instant::now();
        let body = request.send().await?.error_for_status()?.text().await?;
        Ok((body, began.elapsed()))
    }

    /// The keys of `count` documents, in the order of their buyers: from all over the table.
    pub(crate) async fn keys(&self, count: usize) -> Result<Vec<String>, Problem> {
        let mut keys = Vec::new();
        let mut token = String::new();
        while keys.len() < count {
            let request = json!({
                "pageSize": 500, "pageToken": token, "sort": [{"field": "BUYER"}],
            });
            let (body, _) = self.list(&request, 0).await?;
            let page: Value = serde_json::from_str(&body)?;
            let items = page["items"].as_array().ok_or("no items")?;
            keys.extend(
                items
                    .iter()
                    .filter_map(|item| item["documentKey"].as_str().map(str::to_owned)),
            );
            token = page["nextPageToken"]
                .as_str()
                .unwrap_or_default()
                .to_owned();
            if token.is_empty() {
                break;
            }
        }
        Ok(keys)
    }
}
