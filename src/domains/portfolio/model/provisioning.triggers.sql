-- Rules of stages are versions: what counted on a closed day stays as it was.

CREATE TRIGGER `provisioning_rules_append_only` BEFORE UPDATE ON `provisioning_rules` BEGIN SELECT RAISE(ABORT, 'append only'); END;
CREATE TRIGGER `provisioning_rules_kept` BEFORE DELETE ON `provisioning_rules` BEGIN SELECT RAISE(ABORT, 'append only'); END;
CREATE TRIGGER `provisioning_rules_of_open_days` BEFORE INSERT ON `provisioning_rules` WHEN NEW.effective_from <= (SELECT max(p.closed_through) FROM `portfolios` p WHERE p.organization_id = NEW.organization_id) BEGIN SELECT RAISE(ABORT, 'the day is closed'); END;
