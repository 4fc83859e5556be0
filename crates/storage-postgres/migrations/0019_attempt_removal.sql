-- Of the attempts without an answer the first and the last are kept (decision 0167).
GRANT DELETE ON document_submission_attempts TO invoicing_application;
