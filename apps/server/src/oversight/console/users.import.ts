import { newUserFields, type ImportedRow, type NewAdminUser } from '@godwit/contract'
import { errorText } from '@godwit/i18n'
import { foldCase } from '../../identity/users/index.ts'
import { AppError, toAppError } from '../../kernel/errors.ts'
import { validInput } from '../../kernel/valid-input.ts'
import type { ConsoleCall } from './console.types.ts'
import { addUser, checkNewUser, type ConsoleUsersDeps } from './users.service.ts'

export interface UserImport {
  readonly rows: ReadonlyArray<Readonly<Record<string, unknown>>>
  /** Checks every row and writes none. */
  readonly dryRun: boolean
}

/** Adds what it can, row by row, and says of each other one which field is wrong and why. */
export async function importUsers(deps: ConsoleUsersDeps, call: ConsoleCall, { rows, dryRun }: UserImport) {
  const outcomes: ImportedRow[] = []
  const seen = new Set<string>()
  for (const [at, row] of rows.entries()) {
    const account = typeof row['account'] === 'string' ? row['account'] : ''
    try {
      const wanted = validInput(newUserFields, row)
      requireNew(seen, wanted)
      if (dryRun) await checkNewUser(deps, call.ctx, wanted)
      else await addUser(deps, call, wanted)
      outcomes.push({ row: at, account, result: dryRun ? 'fits' : 'created' })
    } catch (thrown) {
      outcomes.push({ row: at, account, result: 'failed', ...refusal(call, toAppError(thrown)) })
    }
  }
  return { created: outcomes.filter(({ result }) => result === 'created').length, rows: outcomes }
}

/** Two rows of one file must not be one account; written rows are found in the database, checked ones only here. */
function requireNew(seen: Set<string>, { account, email = '' }: NewAdminUser): void {
  const [accountKey, emailKey] = [foldCase(account), foldCase(email)]
  if (seen.has(accountKey)) throw new AppError('ACCOUNT_EXISTS')
  if (email !== '' && seen.has(emailKey)) throw new AppError('EMAIL_EXISTS')
  seen.add(accountKey)
  if (email !== '') seen.add(emailKey)
}

/** Which field an error is about, where its name says so. */
const FIELDS: Readonly<Record<string, string>> = {
  ACCOUNT_INVALID: 'account',
  ACCOUNT_EXISTS: 'account',
  EMAIL_INVALID: 'email',
  EMAIL_EXISTS: 'email',
  EMAIL_MISSING: 'email',
  PHONE_INVALID: 'phone',
  PASSWORD_WEAK: 'password',
  DEPARTMENT_NOT_FOUND: 'departmentId',
  PERMISSION_DENIED: 'permission',
}

function refusal({ ctx }: ConsoleCall, error: AppError) {
  // What is nobody's fault ends the call: the rows behind it would only fail as well.
  if (error.status !== 400) throw error
  const named = error.details?.['field']
  const field = FIELDS[error.code] ?? (typeof named === 'string' ? named : '')
  return { field, code: error.wire, message: errorText(ctx.locale, error.code, error.details) }
}
