// Days of made-up data. These programs run in plain Node, which cannot load the service's own constants.

export const DAY_MS = 86_400_000;

/** The calendar date in UTC that lies so many days ahead. */
export const dateIn = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
