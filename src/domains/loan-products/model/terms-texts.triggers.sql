-- A text that borrowers have agreed to is neither changed nor removed.

CREATE TRIGGER `terms_texts_stay` BEFORE UPDATE ON `terms_texts` BEGIN SELECT RAISE(ABORT, 'append only'); END;
CREATE TRIGGER `terms_texts_kept` BEFORE DELETE ON `terms_texts` BEGIN SELECT RAISE(ABORT, 'append only'); END;
