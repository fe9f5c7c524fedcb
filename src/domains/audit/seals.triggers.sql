-- Seals are append-only, like the rows that they seal.

CREATE TRIGGER `audit_seals_append_only` BEFORE UPDATE ON `audit_seals` BEGIN SELECT RAISE(ABORT, 'append only'); END;
CREATE TRIGGER `audit_seals_kept` BEFORE DELETE ON `audit_seals` BEGIN SELECT RAISE(ABORT, 'append only'); END;
