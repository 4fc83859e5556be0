//! A gateway that answers every request with the same page, on a thread of its own.

use std::convert::Infallible;
use std::thread;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use invoicing_client::measurement::ORGANIZATION;
use invoicing_contract::messages::{documents, simple};
use invoicing_contract::names;

/// Starts it and returns its address.
pub(crate) fn serve(page: Vec<u8>) -> std::io::Result<String> {
    let listener = std::net::TcpListener::bind("127.0.0.1:0")?;
    listener.set_nonblocking(true)?;
    let address = format!("http://{}", listener.local_addr()?);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let page = Bytes::from(page);
    thread::spawn(move || {
        runtime.block_on(async move {
            let listener = tokio::net::TcpListener::from_std(listener).expect("a listener");
            while let Ok((stream, _)) = listener.accept().await {
                let page = page.clone();
                tokio::spawn(async move {
                    let answer = service_fn(move |request| answer(request, page.clone()));
                    let _ = hyper::server::conn::http1::Builder::new()
                        .serve_connection(TokioIo::new(stream), answer)
                        .await;
                });
            }
        });
    });
    Ok(address)
}

async fn answer(
    request: Request<Incoming>,
    page: Bytes,
) -> Result<Response<Full<Bytes>>, Infallible> {
    let _ = request.into_body().collect().await;
    let mut response = Response::new(Full::new(page));
    let json = hyper::header::HeaderValue::from_static("application/json");
    response
        .headers_mut()
        .insert(hyper::header::CONTENT_TYPE, json);
    // Without it an answer is that of another server.
    let correlation_id = hyper::header::HeaderValue::from_static("of-the-stub");
    response
        .headers_mut()
        .insert(names::CORRELATION_ID, correlation_id);
    Ok(response)
}

/// The request for a page of the list.
pub(crate) fn request(page: usize) -> simple::ListInvoicesRequest {
    simple::ListInvoicesRequest {
        page_size: 100,
        skip: i32::try_from(page * 100).unwrap_or(i32::MAX),
        ..simple::ListInvoicesRequest::default()
    }
}

/// A page with this many rows.
pub(crate) fn page(rows: usize) -> simple::ListInvoicesResponse {
    let text = |text: &str| {
        Some(documents::LocalizedText {
            ar: "شركة النور".to_owned(),
            en: text.to_owned(),
        })
    };
    let items = (0..rows).map(|number| simple::Invoice {
        document_key: format!("0199f3a0-0000-7000-8000-{number:012}"),
        organization_id: ORGANIZATION.to_owned(),
        number: format!("INV-2026-{number:04}"),
        issue_date: "2026-11-21".to_owned(),
        due_date: "2026-12-21".to_owned(),
        currency: "SAR".to_owned(),
        net: "14239.46".to_owned(),
        tax: "2135.92".to_owned(),
        gross: "16375.38".to_owned(),
        concurrency_stamp: format!("{number:032x}"),
        buyer: Some(documents::Party {
            name: text("Noor Company"),
            ..documents::Party::default()
        }),
        ..simple::Invoice::default()
    });
    simple::ListInvoicesResponse {
        items: items.collect(),
        total_size: 100_000,
        ..simple::ListInvoicesResponse::default()
    }
}
