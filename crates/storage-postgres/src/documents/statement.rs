//! Text and parameters of a statement that is put together from parts.

use invoicing_storage::documents::SortValue;
use tokio_postgres::Row;
use tokio_postgres::types::{ToSql, Type};

use crate::engine::{EngineError, Parameter, Select, Transaction};

type Value = Box<dyn ToSql + Send + Sync>;

/// A statement. Values are parameters, never part of the text, and several values are one array: the text does not depend on
/// their number.
pub(super) struct Statement {
    text: String,
    values: Vec<(Value, Type)>,
    keeps_plan: bool,
}

impl Statement {
    pub(super) fn new(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            values: Vec::new(),
            keeps_plan: false,
        }
    }

    /// Has the connection keep its plan, whatever its values. For a few texts whose best plan does not depend on the values:
    /// planning takes longer than a page.
    pub(super) fn keeping_plan(self, keeps_plan: bool) -> Self {
        Self { keeps_plan, ..self }
    }

    /// Appends text.
    pub(super) fn push(&mut self, text: &str) -> &mut Self {
        self.text.push_str(text);
        self
    }

    /// Appends a parameter.
    pub(super) fn bind(
        &mut self,
        value: impl ToSql + Send + Sync + 'static,
        of: Type,
    ) -> &mut Self {
        self.values.push((Box::new(value), of));
        let number = self.values.len();
        self.text.push_str(&format!("${number}"));
        self
    }

    /// Appends a text parameter.
    pub(super) fn bind_text(&mut self, value: &str) -> &mut Self {
        self.bind(value.to_owned(), Type::TEXT)
    }

    /// Appends the value of a sort field.
    pub(super) fn bind_sort_value(&mut self, value: &SortValue) -> &mut Self {
        match value {
            SortValue::Text(text) => self.bind_text(text),
            SortValue::Integer(integer) => self.bind(*integer, Type::INT8),
        }
    }

    /// The text.
    #[cfg(test)]
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Whether the connection keeps its plan.
    #[cfg(test)]
    pub(super) const fn keeps_plan(&self) -> bool {
        self.keeps_plan
    }

    /// With another text and the same parameters.
    #[cfg(test)]
    pub(super) fn with_text(self, text: impl FnOnce(&str) -> String) -> Self {
        Self {
            text: text(&self.text),
            ..self
        }
    }

    /// The rows that it returns.
    pub(super) async fn rows(&self, transaction: &Transaction) -> Result<Vec<Row>, EngineError> {
        transaction.select(&self.select()).await
    }

    /// The rows that it returns as the last statement of its transaction, which ends with it.
    pub(super) async fn last_rows(
        &self,
        transaction: &Transaction,
    ) -> Result<Vec<Row>, EngineError> {
        transaction.select_last(&self.select()).await
    }

    fn select(&self) -> Select<'_> {
        let values = self.values.iter();
        Select {
            text: &self.text,
            parameters: values
                .map(|(value, of)| (&**value as Parameter<'_>, of.clone()))
                .collect(),
            keeps_plan: self.keeps_plan,
        }
    }
}
