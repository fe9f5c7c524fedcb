-- The audit trail is append-only. The last trigger is for `insert or replace`, which removes a row without a trigger of DELETE.

CREATE TRIGGER `audit_rows_append_only` BEFORE UPDATE ON `audit_rows` BEGIN SELECT RAISE(ABORT, 'append only'); END;
CREATE TRIGGER `audit_rows_kept` BEFORE DELETE ON `audit_rows` BEGIN SELECT RAISE(ABORT, 'append only'); END;
CREATE TRIGGER `audit_rows_added` BEFORE INSERT ON `audit_rows` WHEN EXISTS (SELECT 1 FROM `audit_rows` r WHERE r.stream = NEW.stream AND r.sequence = NEW.sequence) BEGIN SELECT RAISE(ABORT, 'append only'); END;
