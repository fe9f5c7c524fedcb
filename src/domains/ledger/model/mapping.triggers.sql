-- Mappings are versions: the numbers of a closed day's entries stay as they were.

CREATE TRIGGER `ledger_mappings_append_only` BEFORE UPDATE ON `ledger_mappings` BEGIN SELECT RAISE(ABORT, 'append only'); END;
CREATE TRIGGER `ledger_mappings_kept` BEFORE DELETE ON `ledger_mappings` BEGIN SELECT RAISE(ABORT, 'append only'); END;
CREATE TRIGGER `ledger_mappings_of_open_days` BEFORE INSERT ON `ledger_mappings` WHEN NEW.effective_from <= (SELECT l.closed_through FROM `ledgers` l WHERE l.organization_id = NEW.organization_id) BEGIN SELECT RAISE(ABORT, 'the day is closed'); END;
