// The texts of statements by language.

import type { Locale } from "../shared/locale";
import { am, sw } from "./statement-african";
import type { StatementTexts } from "./statement-catalogue";
import { en, fr, pt } from "./statement-european";

export const STATEMENT_TEXTS: Readonly<Record<Locale, StatementTexts>> = { en, sw, fr, pt, am };
