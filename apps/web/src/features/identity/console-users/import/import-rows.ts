import type { ImportedRow } from '@godwit/contract'
import { encodePassword } from '@godwit/contract/passwords'
import { plainCell } from '../../../console-kit/csv.ts'

/** Columns of an import, as a file names them in either language. */
export const IMPORT_COLUMNS = [
  'account',
  'password',
  'name',
  'email',
  'phone',
  'ways',
  'ignorePatterns',
  'ignoreAboveMb',
] as const
export type ImportColumn = (typeof IMPORT_COLUMNS)[number]

export type ImportState = 'pending' | 'fits' | 'created' | 'failed'

/** What is done with the rows that nobody did it with yet. */
export type ImportTask = 'check' | 'add'

/** A row of the file on its way in. */
export interface ImportRow {
  /** Line of the file, from 1 on, its head included. */
  readonly line: number
  readonly values: Readonly<Record<ImportColumn, string>>
  readonly state: ImportState
  readonly field?: string | undefined
  readonly message?: string | undefined
}

/** Heads by which a column is known, in lower case. */
const HEADS: Readonly<Record<ImportColumn, readonly string[]>> = {
  account: ['account', 'user', 'username', '账号', '用户名'],
  password: ['password', '密码'],
  name: ['name', 'full name', 'fullname', '姓名'],
  email: ['email', 'e-mail', 'mail', '邮箱', '电子邮箱'],
  ways: ['ways', 'ways of transfer', '传输方式'],
  ignorePatterns: ['ignorepatterns', 'leave out', '跳过的文件'],
  ignoreAboveMb: ['ignoreabovemb', 'leave out files above, in mb', '跳过超过此大小的文件（mb）'],
  phone: ['phone', 'mobile', '手机号', '手机', '电话'],
}

/** @returns undefined when the first line names no column of accounts */
export function importRowsOf(table: ReadonlyArray<readonly string[]>): readonly ImportRow[] | undefined {
  const [head = [], ...lines] = table
  const names = head.map((cell) =>
    cell
      .trim()
      .toLowerCase()
      .replace(/\s*\*$/, ''),
  )
  const places = IMPORT_COLUMNS.map((column) => names.findIndex((name) => HEADS[column].includes(name)))
  if (places[0] === -1) return undefined
  return lines.map((cells, at) => {
    const entries = IMPORT_COLUMNS.map((column, index) => {
      // A file that was saved here may come in again.
      return [column, plainCell(cells[places[index] ?? -1]?.trim() ?? '').trim()] as const
    })
    const values = Object.fromEntries(entries) as ImportRow['values']
    return { line: at + 2, values, state: 'pending' }
  })
}

/** A row as the call takes it; what is empty is left to its default. */
export function wireRow({ values }: ImportRow): Record<string, unknown> {
  const { account, password, ways, ignorePatterns, ignoreAboveMb, ...others } = values
  const given = Object.entries(others).filter(([, value]) => value !== '')
  // Who has an address and no password in the file chooses one by an invitation.
  const isInvited = password === '' && others.email !== ''
  const secret = isInvited ? { invite: true } : { password: encodePassword(password), mustReset: true }
  const transfer = {
    ...(ways === '' ? {} : { ways }),
    ...(ignorePatterns === '' ? {} : { ignorePatterns }),
    // What is no number is sent as it is, so that the server names the field.
    ...(ignoreAboveMb === ''
      ? {}
      : { ignoreAboveMb: /^\d+$/.test(ignoreAboveMb) ? Number(ignoreAboveMb) : ignoreAboveMb }),
  }
  const more = Object.keys(transfer).length === 0 ? {} : { transfer }
  return { account, ...secret, ...Object.fromEntries(given), ...more }
}

/** The rows with what the server said about those it was sent. @param sent indexes, in the order of the call */
export function withAnswers(
  rows: readonly ImportRow[],
  sent: readonly number[],
  answers: readonly ImportedRow[],
): readonly ImportRow[] {
  const byIndex = new Map(answers.map((answer) => [sent[answer.row], answer]))
  return rows.map((row, index) => {
    const answer = byIndex.get(index)
    if (answer === undefined) return row
    return { ...row, state: answer.result, field: answer.field?.replace(/^transfer\./, ''), message: answer.message }
  })
}

/** How many rows stand how. */
export function importCounts(rows: readonly ImportRow[]): Readonly<Record<ImportState, number>> {
  const counts = { pending: 0, fits: 0, created: 0, failed: 0 }
  for (const { state } of rows) counts[state] += 1
  return counts
}

/** How far a run is, from 0 to 1: what is checked is not added yet. */
export function importProgress(rows: readonly ImportRow[], task: ImportTask): number {
  const { pending, fits } = importCounts(rows)
  return 1 - (task === 'check' ? pending : pending + fits) / rows.length
}
