// `npm run migrations [name]`: writes the migration that the tables need, and the hash by which the Worker knows it.

import { writeMigration } from "./schema.ts";
import { repository } from "./service.ts";

writeMigration(repository, process.argv[2], "inherit");
