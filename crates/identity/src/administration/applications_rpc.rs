//! The operations of invoicing.identity.v2.Applications.

use invoicing_contract::messages::identity::applications_server::Applications;
use invoicing_contract::messages::identity::{
    Application as ApplicationMessage, ApplicationFilter as ApplicationFilterMessage,
    CreateApplicationRequest, CreateApplicationResponse, DisableApplicationRequest,
    EnableApplicationRequest, GetApplicationRequest, ListApplicationsRequest,
    ListApplicationsResponse, RotateApplicationSecretRequest, RotateApplicationSecretResponse,
    UpdateApplicationRequest, application,
};
use invoicing_contract::ready::ApplicationKind;
use invoicing_contract::{ClientId, FieldViolation};
use invoicing_http::{PageRequest, RequestContext, truncate_page};
use invoicing_storage::applications::{Application, ApplicationFilter};
use invoicing_storage::secret::Secret;
use tonic::{Request, Response};

use super::AdministrationError;
use super::applications::RegisteredApplication;
use super::dependencies::RpcResult;
use super::rpc::IdentityRpc;
use super::status::to_status;

#[tonic::async_trait]
impl Applications for IdentityRpc {
    async fn create_application(
        &self,
        request: Request<CreateApplicationRequest>,
    ) -> RpcResult<CreateApplicationResponse> {
        let (caller, request) = RequestContext::from_request(request)?;
        let CreateApplicationRequest {
            client_id,
            application,
            validate_only,
        } = request;
        let created = self
            .of_organization(&caller)
            .create_application(client_id, &application.unwrap_or_default(), validate_only)
            .await;
        let created = created.map_err(|error| to_status(&caller, &error))?;
        Ok(Response::new(CreateApplicationResponse {
            client_secret: shown_once(&created),
            application: Some(message(&created.application)),
        }))
    }

    async fn get_application(
        &self,
        request: Request<GetApplicationRequest>,
    ) -> RpcResult<ApplicationMessage> {
        let (caller, request) = RequestContext::from_request(request)?;
        let found = self.of_organization(&caller);
        respond(&caller, found.application(&request.client_id).await)
    }

    async fn list_applications(
        &self,
        request: Request<ListApplicationsRequest>,
    ) -> RpcResult<ListApplicationsResponse> {
        let (caller, request) = RequestContext::from_request(request)?;
        let page = self.application_page(&caller, request).await;
        let page = page.map_err(|error| to_status(&caller, &error))?;
        Ok(Response::new(page))
    }

    async fn update_application(
        &self,
        request: Request<UpdateApplicationRequest>,
    ) -> RpcResult<ApplicationMessage> {
        let (caller, request) = RequestContext::from_request(request)?;
        let updated = self
            .of_organization(&caller)
            .update_application(
                &request.client_id,
                &request.application.unwrap_or_default(),
                &request.concurrency_stamp.into(),
                request.update_mask.as_ref(),
                request.validate_only,
            )
            .await;
        respond(&caller, updated)
    }

    async fn disable_application(
        &self,
        request: Request<DisableApplicationRequest>,
    ) -> RpcResult<ApplicationMessage> {
        let (caller, request) = RequestContext::from_request(request)?;
        let disabled = self
            .of_organization(&caller)
            .set_application_disabled(&request.client_id, true)
            .await;
        respond(&caller, disabled)
    }

    async fn enable_application(
        &self,
        request: Request<EnableApplicationRequest>,
    ) -> RpcResult<ApplicationMessage> {
        let (caller, request) = RequestContext::from_request(request)?;
        let enabled = self
            .of_organization(&caller)
            .set_application_disabled(&request.client_id, false)
            .await;
        respond(&caller, enabled)
    }

    async fn rotate_application_secret(
        &self,
        request: Request<RotateApplicationSecretRequest>,
    ) -> RpcResult<RotateApplicationSecretResponse> {
        let (caller, request) = RequestContext::from_request(request)?;
        let rotated = self
            .of_organization(&caller)
            .rotate_application_secret(&request.client_id, request.overlap_seconds)
            .await;
        let rotated = rotated.map_err(|error| to_status(&caller, &error))?;
        Ok(Response::new(RotateApplicationSecretResponse {
            client_secret: shown_once(&rotated),
            application: Some(message(&rotated.application)),
        }))
    }
}

impl IdentityRpc {
    async fn application_page(
        &self,
        caller: &RequestContext,
        request: ListApplicationsRequest,
    ) -> Result<ListApplicationsResponse, AdministrationError> {
        let ApplicationFilterMessage { text, kind } = request.filter.unwrap_or_default();
        let organization = caller.organization();
        let list = serde_json::json!(["applications", organization, text, kind]);
        let list = list.to_string().into_bytes();
        let filter = ApplicationFilter {
            text,
            kind: kind_of(kind)?,
        };
        let PageRequest { after, size } = self
            .dependencies
            .page_tokens
            .read_request::<ClientId>(request.page_size, &request.page_token, &list)
            .map_err(AdministrationError::Violations)?;
        // One more tells whether there is a next page.
        let page = self.dependencies.store.applications_of(
            organization,
            &filter,
            after.as_ref(),
            size + 1,
        );
        let mut page = page.await?;
        let last = truncate_page(&mut page, size);
        let next = last.map(|last| self.dependencies.page_tokens.sign(&last.client_id, &list));
        Ok(ListApplicationsResponse {
            applications: page.iter().map(message).collect(),
            next_page_token: next.unwrap_or_default(),
        })
    }
}

fn respond(
    caller: &RequestContext,
    application: Result<Application, AdministrationError>,
) -> RpcResult<ApplicationMessage> {
    match application {
        Ok(application) => Ok(Response::new(message(&application))),
        Err(error) => Err(to_status(caller, &error)),
    }
}

fn shown_once(registered: &RegisteredApplication) -> String {
    let secret = registered.secret.as_ref().map(Secret::expose);
    secret.unwrap_or_default().to_owned()
}

/// An application in messages.
pub(super) fn message(application: &Application) -> ApplicationMessage {
    let kind = match application.kind {
        ApplicationKind::Public => application::Kind::Public,
        ApplicationKind::Confidential => application::Kind::Confidential,
        ApplicationKind::Machine => application::Kind::Machine,
        ApplicationKind::Api => application::Kind::Api,
    };
    let grants = application.grant_types.iter().map(|grant| grant.name());
    let scopes = application.scopes.iter().map(|scope| scope.name());
    let retired = application.secret.iter().flat_map(|secret| &secret.retired);
    let user = application.subject.clone().unwrap_or_default();
    ApplicationMessage {
        client_id: application.client_id.to_string(),
        name: application.name.clone(),
        kind: kind.into(),
        grant_types: grants.map(str::to_owned).collect(),
        scopes: scopes.map(str::to_owned).collect(),
        redirect_uris: application.redirect_uris.clone(),
        post_logout_uris: application.post_logout_uris.clone(),
        id_token_algorithm: application.id_token_algorithm.name().to_owned(),
        revoke_family_on_reuse: application.revoke_family_on_reuse,
        user_id: user.into_string(),
        disabled: application.disabled_at.is_some(),
        retired_secret_expire_times: retired.map(|retired| retired.until.into()).collect(),
        concurrency_stamp: application.concurrency_stamp.to_string(),
    }
}

fn kind_of(number: i32) -> Result<Option<ApplicationKind>, AdministrationError> {
    match application::Kind::try_from(number) {
        Ok(application::Kind::Unspecified) => Ok(None),
        Ok(application::Kind::Public) => Ok(Some(ApplicationKind::Public)),
        Ok(application::Kind::Confidential) => Ok(Some(ApplicationKind::Confidential)),
        Ok(application::Kind::Machine) => Ok(Some(ApplicationKind::Machine)),
        Ok(application::Kind::Api) => Ok(Some(ApplicationKind::Api)),
        Err(_) => Err(AdministrationError::Violations(vec![FieldViolation::new(
            "filter.kind",
            "is no kind of application",
        )])),
    }
}
