-- The audit trail is append-only.

CREATE TRIGGER `audit_rows_append_only` BEFORE UPDATE ON `audit_rows` BEGIN SELECT RAISE(ABORT, 'append only'); END;
CREATE TRIGGER `audit_rows_kept` BEFORE DELETE ON `audit_rows` BEGIN SELECT RAISE(ABORT, 'append only'); END;
