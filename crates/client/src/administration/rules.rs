//! Authorization rules: their versions, what a change of them would do, and publication.

use invoicing_contract::messages::rules;
use invoicing_contract::operation;

use super::write::FailedWrite;
use super::{Administration, PAGE_SIZE, from_wire, names_in_order};
use crate::gateway::CallContext;
use crate::views::{CommandError, RoleRules, RuleMatrix, RuleVersionPage, RulesCheck, RulesView};

impl Administration {
    /// A version of the rules; the current one if `None`.
    pub(crate) async fn rules(
        &self,
        context: &CallContext,
        version: Option<i32>,
    ) -> Result<RulesView, CommandError> {
        let request = rules::GetRulesRequest { version };
        let rules: rules::RuleSet = self.call(context, &operation::GET_RULES, &request).await?;
        Ok(from_wire::rules(rules))
    }

    pub(crate) async fn rule_versions(
        &self,
        context: &CallContext,
        page: String,
    ) -> Result<RuleVersionPage, CommandError> {
        let request = rules::ListRuleVersionsRequest {
            page_size: PAGE_SIZE,
            page_token: page,
        };
        let answer: rules::ListRuleVersionsResponse = self
            .call(context, &operation::LIST_RULE_VERSIONS, &request)
            .await?;
        let versions = answer.versions.into_iter();
        Ok(RuleVersionPage {
            versions: versions.map(from_wire::rule_version).collect(),
            next_page: answer.next_page_token,
        })
    }

    pub(crate) async fn check_rules(
        &self,
        context: &CallContext,
        matrix: RuleMatrix,
    ) -> Result<RulesCheck, CommandError> {
        let request = rules::CheckRulesRequest {
            matrix: Some(from_wire::to_matrix(matrix.clone())),
            ..Default::default()
        };
        let answer: rules::CheckRulesResponse = self
            .call(context, &operation::CHECK_RULES, &request)
            .await?;
        Ok(from_wire::rules_check(answer, &matrix))
    }

    /// Publishes rules that are based on the version with `stamp`. They are published also if the answer to an attempt was lost: then
    /// they are the current ones.
    pub(crate) async fn publish_rules(
        &self,
        context: &CallContext,
        matrix: RuleMatrix,
        stamp: String,
        comment: String,
    ) -> Result<RulesView, CommandError> {
        let matrix = in_order(matrix);
        let request = rules::PublishRulesRequest {
            matrix: Some(from_wire::to_matrix(matrix.clone())),
            concurrency_stamp: stamp.clone(),
            comment,
            ..Default::default()
        };
        let published = self
            .write::<rules::RuleSet>(context, &operation::PUBLISH_RULES, &request)
            .await;
        match published {
            Ok(rules) => Ok(from_wire::rules(rules)),
            Err(failed) => {
                let is_wanted = |current: &RulesView| current.matrix == matrix;
                self.unless_published(context, failed, &stamp, is_wanted)
                    .await
            }
        }
    }

    /// As [`publish_rules`](Self::publish_rules), with the rules of an earlier version.
    pub(crate) async fn roll_back_rules(
        &self,
        context: &CallContext,
        version: i32,
        stamp: String,
        comment: String,
    ) -> Result<RulesView, CommandError> {
        let request = rules::RollBackRulesRequest {
            version: Some(version),
            concurrency_stamp: stamp.clone(),
            comment,
            ..Default::default()
        };
        let published = self
            .write::<rules::RuleSet>(context, &operation::ROLL_BACK_RULES, &request)
            .await;
        match published {
            Ok(rules) => Ok(from_wire::rules(rules)),
            Err(failed) => {
                let is_wanted = |current: &RulesView| current.version.restores == Some(version);
                self.unless_published(context, failed, &stamp, is_wanted)
                    .await
            }
        }
    }

    /// The current rules, if an attempt of a publication that failed has made them: they were published by this user, they are not
    /// those with `stamp`, on which it was based, and they are as it wanted.
    async fn unless_published(
        &self,
        context: &CallContext,
        failed: FailedWrite,
        stamp: &str,
        is_wanted: impl Fn(&RulesView) -> bool + Send,
    ) -> Result<RulesView, CommandError> {
        if failed.may_be_done
            && let Ok(current) = self.rules(context, None).await
            && current.version.stamp != stamp
            && current.version.by == context.session.identity().subject.as_str()
            && is_wanted(&current)
        {
            return Ok(current);
        }
        Err(failed.into())
    }
}

/// Rules as the service answers with them, so that what was sent can be found again: rows in the order of their roles, and names in
/// order.
fn in_order(matrix: RuleMatrix) -> RuleMatrix {
    let row_in_order = |row: RoleRules| RoleRules {
        role: row.role,
        allowed: names_in_order(row.allowed),
        forbidden: names_in_order(row.forbidden),
    };
    let mut roles: Vec<_> = matrix.roles.into_iter().map(row_in_order).collect();
    roles.sort_by(|one, other| one.role.cmp(&other.role));
    RuleMatrix {
        roles,
        forbidden: names_in_order(matrix.forbidden),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_sent_in_the_order_in_which_the_service_answers_with_them() {
        let names =
            |names: &[&str]| -> Vec<String> { names.iter().map(|&name| name.to_owned()).collect() };
        let row = |role: &str, allowed: &[&str]| RoleRules {
            role: role.to_owned(),
            allowed: names(allowed),
            forbidden: Vec::new(),
        };
        let typed = RuleMatrix {
            roles: vec![row("viewer", &["b", "a", "b"]), row("clerk", &["c"])],
            forbidden: names(&["e", "d"]),
        };
        let sent = RuleMatrix {
            roles: vec![row("clerk", &["c"]), row("viewer", &["a", "b"])],
            forbidden: names(&["d", "e"]),
        };
        assert_eq!(in_order(typed), sent);
    }
}
