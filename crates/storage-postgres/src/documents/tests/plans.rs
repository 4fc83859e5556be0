//! Which indexes the planner uses for lists.

use async_trait::async_trait;
use invoicing_contract::OrganizationId;
use invoicing_storage::documents::{
    AnsweredBy, DocumentFilter, DocumentStore as _, ListQuery, SortField, SortValue,
};
use invoicing_storage::suite::fixtures::{Draft, RIYADH, id, key, row};
use invoicing_test_postgres::{Database, Server};
use tokio_postgres::SimpleQueryMessage;
use uuid::Uuid;

use super::super::filter::Buyers;
use super::super::list::{PageColumns, PageRange, select_page};
use super::super::list_sums::{select_from_classes, select_from_rows};
use super::super::rows::buyer_text_id;
use super::super::statement::Statement;
use super::open;
use crate::Postgres;
use crate::engine::{EngineError, Transaction, TransactionEnd, TransactionWork};

const DOCUMENTS: u64 = 3_000;

/// A store with documents of which each has a buyer of its own, and statistics.
async fn store() -> (Postgres, Database) {
    let (store, database) = open().await;
    let rows = (0..DOCUMENTS).map(|number| {
        row(Draft {
            key: key(u128::from(number) * 7_919 % 3_001),
            number: format!("N-{number:05}"),
            issue_date: format!("2027-{:02}-{:02}", number % 12 + 1, number % 28 + 1),
            due_date: format!("2028-{:02}-{:02}", number % 12 + 1, number % 28 + 1),
            gross: i64::try_from(number).unwrap() + 100,
            buyer: format!("buyer {number}"),
            ..Draft::default()
        })
    });
    let imported = store.import_documents(rows.collect(), &[]).await;
    imported.unwrap();
    super::analyze(&database).await;
    (store, database)
}

fn list(filter: DocumentFilter, field: SortField, descends: bool) -> ListQuery {
    ListQuery {
        organization: id(RIYADH),
        filter,
        sort: vec![(field, descends)],
        after: None,
        skip: 0,
        size: 50,
    }
}

/// The plan of a statement.
struct Explain(OrganizationId, Statement);

#[async_trait]
impl TransactionWork for Explain {
    type Output = String;

    fn organization(&self) -> Option<&OrganizationId> {
        Some(&self.0)
    }

    async fn run(&self, transaction: &Transaction) -> Result<TransactionEnd<String>, EngineError> {
        let rows = self.1.rows(transaction).await?;
        let lines: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
        Ok(TransactionEnd::Commit(lines.join("\n")))
    }
}

async fn plan(store: &Postgres, statement: Statement) -> String {
    let statement = statement.with_text(|text| format!("EXPLAIN {text}"));
    let work = Explain(id(RIYADH), statement);
    store.engine().read(&work).await.unwrap()
}

/// The plan for any values, as usual pages are executed.
async fn generic_plan(database: &Database, statement: &str, values: &str) -> String {
    let client = Server::shared().connect_as_superuser(database).await;
    let explain = format!(
        "SET plan_cache_mode = force_generic_plan; PREPARE page AS {statement}; EXPLAIN EXECUTE page ({values})"
    );
    let messages = client.simple_query(&explain).await.unwrap();
    let mut lines = Vec::new();
    for message in &messages {
        if let SimpleQueryMessage::Row(row) = message {
            lines.extend(row.get(0));
        }
    }
    lines.join("\n")
}

#[tokio::test]
async fn page_of_each_sort_walks_its_index() {
    let (store, database) = store().await;
    let text = || SortValue::Text("2027-06-15".to_owned());
    let number = || SortValue::Integer(1);
    for (field, value, index) in [
        (SortField::IssueDate, text(), "documents_issue_date"),
        (SortField::DueDate, text(), "documents_due_date"),
        (SortField::Number, text(), "documents_number"),
        (SortField::Buyer, text(), "documents_buyer"),
        (SortField::Gross, number(), "documents_gross"),
        (SortField::Status, number(), "documents_status"),
        (SortField::Updated, number(), "documents_updated"),
    ] {
        for descends in [false, true] {
            for after in [None, Some((vec![value.clone()], Uuid::nil()))] {
                let list = ListQuery {
                    after,
                    ..list(DocumentFilter::default(), field, descends)
                };
                let range = PageRange::of(&list, DOCUMENTS).unwrap();
                let page = select_page(&list, &Buyers::All, PageColumns::Body, DOCUMENTS, &range);
                let values = match &list.after {
                    None => format!("'{RIYADH}'"),
                    Some(_) if matches!(value, SortValue::Text(_)) => {
                        format!("'{RIYADH}', '2027-06-15', '{}'", Uuid::nil())
                    }
                    Some(_) => format!("'{RIYADH}', 1, '{}'", Uuid::nil()),
                };
                let generic = generic_plan(&database, page.text(), &values).await;
                let plan = plan(&store, page).await;
                let walks = format!("using {index} on documents");
                assert!(plan.contains(&walks), "{plan}");
                assert!(generic.contains(&walks), "{generic}");
                if list.after.is_some() {
                    let column = index.trim_start_matches("documents_");
                    let begins = plan.lines().any(|line| {
                        line.contains("Index Cond")
                            && line.contains("ROW(")
                            && line.contains(column)
                    });
                    assert!(begins, "the index begins at the position: {plan}");
                }
            }
        }
    }
}

#[tokio::test]
async fn usual_page_of_a_whole_list_is_not_planned_for_its_values() {
    let (_store, database) = store().await;
    let store = super::open_with(&database, 1).await;
    let list = list(DocumentFilter::default(), SortField::IssueDate, true);
    for _ in 0..2 {
        store.list_document_summaries(&list).await.unwrap();
    }
    let plans = "SELECT generic_plans, custom_plans FROM pg_prepared_statements
         WHERE statement LIKE 'SELECT d.page_key%'";
    let plans = store.engine().rows(None, plans, &[]).await.unwrap();
    let plans: Vec<(i64, i64)> = plans
        .iter()
        .map(|plans| (plans.get("generic_plans"), plans.get("custom_plans")))
        .collect();
    assert_eq!(plans, [(2, 0)]);
}

#[tokio::test]
async fn documents_of_few_buyers_are_found_by_the_summary() {
    let (store, _database) = store().await;
    let filter = DocumentFilter {
        buyer: "buyer 77".to_owned(),
        ..DocumentFilter::default()
    };
    let list = list(filter, SortField::IssueDate, true);
    let buyers = Buyers::Few(vec![buyer_text_id("buyer 77")]);
    let range = PageRange::of(&list, 1).unwrap();
    let page = select_page(&list, &buyers, PageColumns::Body, 1, &range);
    for statement in [select_from_rows(&list, &buyers), page] {
        let plan = plan(&store, statement).await;
        assert!(plan.contains("documents_summary"), "{plan}");
        assert!(plan.contains("buyer_text_id = ANY"), "{plan}");
    }
}

#[tokio::test]
async fn parts_of_classes_that_a_range_cuts_are_read_from_the_index_of_amounts() {
    let (store, _database) = store().await;
    // From 10.10 to 29.90: 10.00 and more is a class, and 20.00 and more.
    let filter = DocumentFilter {
        gross_from: Some(101_000),
        gross_to: Some(299_000),
        ..DocumentFilter::default()
    };
    let list = list(filter, SortField::Gross, true);
    let AnsweredBy::Classes(coverage) = AnsweredBy::of(&list.filter) else {
        panic!("it has whole classes");
    };
    let sums = select_from_classes(&list, &Buyers::All, &coverage, Vec::new());
    let plan = plan(&store, sums).await;
    let parts = plan.lines().filter(|line| {
        line.contains("Index Cond")
            && line.contains("gross_sort_key >=")
            && line.contains("gross_sort_key <=")
    });
    assert_eq!(parts.count(), 2, "{plan}");
    assert_eq!(plan.matches("documents_gross").count(), 2, "{plan}");
}

#[tokio::test]
async fn policy_is_checked_once_for_a_statement() {
    let (store, _database) = store().await;
    let list = list(DocumentFilter::default(), SortField::IssueDate, true);
    let range = PageRange::of(&list, DOCUMENTS).unwrap();
    let page = select_page(&list, &Buyers::All, PageColumns::Body, DOCUMENTS, &range);
    let plan = plan(&store, page).await;
    let checks = plan.lines().filter(|line| line.contains("current_setting"));
    for check in checks {
        assert!(check.contains("One-Time Filter"), "{plan}");
    }
}
