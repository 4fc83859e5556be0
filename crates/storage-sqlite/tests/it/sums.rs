//! Sums of lists against a plain read of all documents, and the tables that keep them against each other.

use invoicing_storage::suite::fixtures::populate;
use invoicing_storage::suite::known_documents::{KnownDocuments, filter, write};
use invoicing_storage::transfer::TransferStore as _;
use invoicing_storage_sqlite::Sqlite;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use rusqlite::Connection;

#[test]
fn lists_of_amounts_are_what_a_plain_read_selects() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let config = ProptestConfig {
        cases: 24,
        max_shrink_iters: 50,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let cases = (vec(write(), 4..12), vec(filter(), 8));
    let checked = TestRunner::new(config).run(&cases, |(writes, filters)| {
        runtime.block_on(async {
            let (store, _folder) = crate::open().await;
            populate(&store).await;
            let mut documents = KnownDocuments::default();
            for write in &writes {
                documents.write(&store, write).await;
                for filter in &filters {
                    documents.check(&store, filter).await;
                }
                check_tables(&store);
            }
            // Counted anew, as at the end of a move from another engine.
            let counted = class_sums(&store);
            store.end_import().await.unwrap();
            assert_eq!(class_sums(&store), counted);
            check_tables(&store);
            store.close().await;
        });
        Ok(())
    });
    checked.unwrap();
}

/// The columns of sums, where credit notes count negative.
const SIGNED: &str = "sum(documents), sum(sign * net_high), sum(sign * net_low), sum(sign * tax_high), sum(sign * tax_low),
     sum(sign * gross_high), sum(sign * gross_low)";

/// The rows of a statement, in order.
fn lines(store: &Sqlite, select: &str) -> Vec<String> {
    let connection = Connection::open(store.path()).expect("the database");
    let mut select = connection.prepare(select).expect("a statement");
    let columns = select.column_count();
    let rows = select.query_map((), |row| {
        let values = (0..columns).map(|column| row.get::<_, rusqlite::types::Value>(column));
        let values: Result<Vec<_>, _> = values.collect();
        Ok(format!("{:?}", values?))
    });
    let mut lines: Vec<_> = rows
        .expect("rows")
        .map(|line| line.expect("a row"))
        .collect();
    lines.sort();
    lines
}

fn class_sums(store: &Sqlite) -> Vec<String> {
    lines(
        store,
        "SELECT * FROM document_class_sums WHERE documents <> 0",
    )
}

/// The sums of days, of classes and the totals are those of the documents.
fn check_tables(store: &Sqlite) {
    let documents = "(SELECT organization_id, currency, issue_date, status, kind, 1 AS documents, CASE kind WHEN 2 THEN -1 ELSE 1 END AS sign,
         net >> 32 AS net_high, net & 4294967295 AS net_low, tax >> 32 AS tax_high, tax & 4294967295 AS tax_low,
         gross >> 32 AS gross_high, gross & 4294967295 AS gross_low FROM documents)";
    let days = "(SELECT *, CASE kind WHEN 2 THEN -1 ELSE 1 END AS sign FROM document_sums)";
    let classes = "(SELECT *, 1 AS sign FROM document_class_sums)";
    let totals = "(SELECT *, 1 AS sign FROM document_totals)";
    let day = "organization_id, currency, issue_date, status, kind";
    let all = "organization_id, currency, status, kind";
    let sums = |table: &str, key: &str| {
        let select = format!(
            "SELECT {key}, {SIGNED} FROM {table} GROUP BY {key} HAVING sum(documents) <> 0"
        );
        lines(store, &select)
    };
    for (table, key) in [(days, day), (classes, day), (totals, all)] {
        assert_eq!(sums(table, key), sums(documents, key), "{table}");
    }
    for table in ["document_sums", "document_class_sums", "document_totals"] {
        let rest = format!(
            "SELECT * FROM {table} WHERE documents = 0 AND (net_high | net_low | tax_high | tax_low | gross_high | gross_low) <> 0"
        );
        assert_eq!(lines(store, &rest), [""; 0], "{table}");
    }
}
