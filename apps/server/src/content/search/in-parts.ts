/** Rows of one statement: SQLite allows 32,766 bound values; MariaDB is quickest with less. */
const ROWS_PER_STATEMENT = 500

export function inParts<T>(all: readonly T[], size = ROWS_PER_STATEMENT): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size))
}
