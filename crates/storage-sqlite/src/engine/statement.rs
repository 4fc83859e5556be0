//! A statement that is assembled from parts and bound values.

use invoicing_contract::Timestamp;
use rusqlite::types::Value;
use rusqlite::{Connection, Row, params_from_iter};

use super::EngineError;

/// SQL text and the values of its parameters, in their order.
pub(crate) struct Statement {
    sql: String,
    values: Vec<Value>,
}

impl Statement {
    /// A statement that begins with `sql`.
    pub(crate) fn new(sql: &str) -> Self {
        Self {
            sql: sql.to_owned(),
            values: Vec::new(),
        }
    }

    /// Appends SQL. Never append a caller's text. Bind it.
    pub(crate) fn push(&mut self, sql: &str) -> &mut Self {
        self.sql.push_str(sql);
        self
    }

    /// Appends a parameter with its value.
    pub(crate) fn bind(&mut self, value: impl Into<BoundValue>) -> &mut Self {
        self.sql.push('?');
        self.values.push(value.into().0);
        self
    }

    /// Appends a subquery with a row for each of `values`, in the column `value`. They are one parameter, so that the text does
    /// not depend on how many there are (decision 0089).
    pub(crate) fn bind_rows(
        &mut self,
        values: impl Iterator<Item = impl Into<serde_json::Value>>,
    ) -> &mut Self {
        let values: serde_json::Value = values.map(Into::into).collect();
        self.push("(SELECT value FROM json_each(")
            .bind(values.to_string().as_str())
            .push("))")
    }

    /// The text.
    #[cfg(test)]
    pub(crate) fn sql(&self) -> &str {
        &self.sql
    }

    /// Runs the statement and calls `read` for each row.
    pub(crate) fn for_each(
        &self,
        connection: &Connection,
        mut read: impl FnMut(&Row<'_>) -> rusqlite::Result<()>,
    ) -> Result<(), EngineError> {
        let mut statement = connection.prepare_cached(&self.sql)?;
        let mut rows = statement.query(params_from_iter(&self.values))?;
        while let Some(row) = rows.next()? {
            read(row)?;
        }
        Ok(())
    }

    /// Runs the statement and maps its rows.
    pub(crate) fn all<T>(
        &self,
        connection: &Connection,
        map: impl Fn(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, EngineError> {
        let mut all = Vec::new();
        self.for_each(connection, |row| {
            all.push(map(row)?);
            Ok(())
        })?;
        Ok(all)
    }
}

/// A value of a parameter.
pub(crate) struct BoundValue(Value);

impl From<Value> for BoundValue {
    fn from(value: Value) -> Self {
        Self(value)
    }
}

impl From<i64> for BoundValue {
    fn from(integer: i64) -> Self {
        Self(Value::Integer(integer))
    }
}

impl From<Timestamp> for BoundValue {
    fn from(time: Timestamp) -> Self {
        Self(Value::Integer(time.as_millis()))
    }
}

impl From<i32> for BoundValue {
    fn from(integer: i32) -> Self {
        Self(Value::Integer(integer.into()))
    }
}

impl From<&str> for BoundValue {
    fn from(text: &str) -> Self {
        Self(Value::Text(text.to_owned()))
    }
}
