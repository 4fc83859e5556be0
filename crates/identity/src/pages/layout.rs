//! What all pages share: the frame around the card, and the headers that keep it from being abused.

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use maud::{DOCTYPE, Markup, html};

use super::{icon_path, style_path};
use crate::i18n::Localizer;
use invoicing_contract::EnvironmentKind;

/// What a page stands in.
pub(crate) struct PageLayout<'a> {
    /// The messages of its language.
    pub(crate) localizer: Localizer<'a>,
    /// Named beside the product, unless it is production.
    pub(crate) kind: EnvironmentKind,
    /// The address of the same page in the other language, where that can be opened with GET.
    pub(crate) switch: Option<String>,
    /// Where a form of the page may lead besides this provider (CSP form-action).
    pub(crate) form_target: Option<String>,
}

impl PageLayout<'_> {
    /// A whole page with `content` in its card.
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
                    @if let Some(switch) = &self.switch {
                        footer {
                            a href=(switch) lang=(language.other().tag()) hreflang=(language.other().tag()) {
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
        headers.insert(header::CONTENT_SECURITY_POLICY, self.policy());
        headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
        response
    }

    /// Says what becomes of this tab where the way back has a scheme of the application's own: the browser hands over and
    /// stays where it is, with the form that was sent.
    pub(super) fn handing_over(&self, application: &str) -> Option<Markup> {
        let target = self.form_target.as_deref()?;
        let own = !target.starts_with("http:") && !target.starts_with("https:");
        own.then(|| {
            let text = self
                .localizer
                .format("handing-over", &[("application", application.into())]);
            html! { p.after { (text) } }
        })
    }

    fn environment(&self) -> Option<String> {
        match self.kind {
            EnvironmentKind::Local => Some(self.localizer.text("environment-local")),
            EnvironmentKind::Staging => Some(self.localizer.text("environment-staging")),
            EnvironmentKind::Production => None,
        }
    }

    /// A browser follows a redirect after a form only to where form-action allows.
    fn policy(&self) -> HeaderValue {
        let target = self
            .form_target
            .as_deref()
            .map(|target| format!(" {target}"))
            .unwrap_or_default();
        let policy = format!(
            "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'{target}; \
             frame-ancestors 'none'; base-uri 'none'"
        );
        HeaderValue::from_str(&policy).unwrap_or(HeaderValue::from_static(
            "default-src 'none'; frame-ancestors 'none'",
        ))
    }
}
