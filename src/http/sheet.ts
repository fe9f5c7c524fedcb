/** CSV in a form of its own, of the list's rows. */
export type Sheet = (rows: readonly unknown[]) => string;
