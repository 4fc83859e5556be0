//! The layout of all pages and their security headers.

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use maud::{DOCTYPE, Markup, html};

use super::{icon_path, style_path};
use crate::i18n::Localizer;
use invoicing_contract::EnvironmentKind;
use invoicing_storage::applications::Application;

/// The client id of the product itself. An application is registered with one name, and the product has one in each language.
const PRODUCT_CLIENT_ID: &str = "invoice-desk";

/// The layout of a page.
pub(crate) struct PageLayout<'a> {
    /// The messages of the language.
    pub(crate) localizer: Localizer<'a>,
    /// The environment, shown beside the product name unless it is production.
    pub(crate) kind: EnvironmentKind,
    /// The URL of the same page in the other language, if it can be opened with GET.
    pub(crate) language_switch: Option<String>,
    /// An additional CSP form-action source, for the redirect after a form.
    pub(crate) form_action: Option<String>,
}

impl PageLayout<'_> {
    /// A complete page with `content`.
    pub(super) fn page(&self, status: StatusCode, title: &str, content: &Markup) -> Response {
        let language = self.localizer.language;
        let page = html! {
            (DOCTYPE)
            html lang=(language.tag()) dir=(language.direction()) {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="robots" content="noindex";
                    title { (title) " · " (self.localizer.text("product")) }
                    link rel="icon" type="image/svg+xml" href=(icon_path());
                    link rel="stylesheet" href=(style_path());
                }
                body class=(self.kind.name()) {
                    header {
                        img src=(icon_path()) alt="" width="32" height="32";
                        span.product { (self.localizer.text("product")) }
                        @if let Some(environment) = self.environment() {
                            span.environment { (environment) }
                        }
                    }
                    main { (content) }
                    @if let Some(url) = &self.language_switch {
                        footer {
                            a href=(url) lang=(language.other().tag()) hreflang=(language.other().tag()) {
                                (self.localizer.text("language-switch"))
                            }
                        }
                    }
                }
            }
        };
        let mut response = (status, page.into_string()).into_response();
        let headers = response.headers_mut();
        headers.insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static("text/html; charset=utf-8"),
        );
        headers.insert(
            header::CONTENT_LANGUAGE,
            HeaderValue::from_static(language.tag()),
        );
        headers.insert(
            header::VARY,
            HeaderValue::from_static("accept-language, cookie"),
        );
        headers.insert(
            header::CONTENT_SECURITY_POLICY,
            self.content_security_policy(),
        );
        headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
        response
    }

    /// What an application is called in the language of the page.
    pub(crate) fn application_name(&self, application: &Application) -> String {
        if application.client_id.as_str() == PRODUCT_CLIENT_ID {
            self.localizer.text("product")
        } else {
            application.name.clone()
        }
    }

    /// A notice for redirects to a private-use scheme: the browser opens the application and this tab stays open.
    pub(super) fn handoff_notice(&self, application: &str) -> Option<Markup> {
        let source = self.form_action.as_deref()?;
        let is_private_use = !source.starts_with("http:") && !source.starts_with("https:");
        is_private_use.then(|| {
            let text = self
                .localizer
                .format("handoff-notice", &[("application", application.into())]);
            html! { p.handoff-notice { (text) } }
        })
    }

    fn environment(&self) -> Option<String> {
        match self.kind {
            EnvironmentKind::Local => Some(self.localizer.text("environment-local")),
            EnvironmentKind::Staging => Some(self.localizer.text("environment-staging")),
            EnvironmentKind::Production => None,
        }
    }

    /// The Content-Security-Policy. A browser follows a redirect after a form only to the sources of form-action.
    fn content_security_policy(&self) -> HeaderValue {
        let source = self
            .form_action
            .as_deref()
            .map(|source| format!(" {source}"))
            .unwrap_or_default();
        let policy = format!(
            "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'{source}; \
             frame-ancestors 'none'; base-uri 'none'"
        );
        HeaderValue::from_str(&policy).unwrap_or(HeaderValue::from_static(
            "default-src 'none'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
        ))
    }
}
