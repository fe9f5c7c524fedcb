// Imported before everything else: a directory, and two databases of homes beside it.

process.env.HOMES = "3";
