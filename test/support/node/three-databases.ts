// Imported before everything else: a directory, and two databases of homes.

process.env.HOMES = "3";
