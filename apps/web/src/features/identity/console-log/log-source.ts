import { routes } from '@godwit/contract/table'
import type { OperationLogEntry, OperationLogFilter, PreviewLogEntry, SignInLogEntry } from '@godwit/contract'
import { endOfDay, startOfDay } from '../../console-kit/days.ts'
import type { ListSource } from '../../console-kit/list-source.ts'

/** How sign-ins end; the page carries no schema to read it from. */
export const SIGN_IN_RESULTS = ['success', 'wrong-password', 'wrong-second-factor', 'refused'] as const
/** How operations end. */
export const OPERATION_RESULTS = ['ok', 'failed'] as const
/** Kinds of objects that operations are about. */

type Filters = Readonly<Record<string, string>>

export const operationsSource: ListSource<OperationLogEntry> = {
  key: 'operations',
  load: (api, { page, pageSize, filters }, signal) =>
    api.call(
      routes.adminLog.operations,
      { query: { page, size: pageSize, ...operationFilter(filters) } },
      signal === undefined ? {} : { signal },
    ),
}

/** The filters of the address as the wire has them. */
export function operationFilter({ text, result, kind, from, to }: Filters): OperationLogFilter {
  return {
    text,
    result: OPERATION_RESULTS.find((each) => each === result),
    targetKind: kind,
    ...periodOf(from, to),
  }
}

export const signInsSource: ListSource<SignInLogEntry> = {
  key: 'sign-ins',
  load: (api, { page, pageSize, filters: { text, result, from, to } }, signal) =>
    api.call(
      routes.adminLog.signIns,
      {
        query: {
          page,
          size: pageSize,
          text,
          result: SIGN_IN_RESULTS.find((each) => each === result),
          ...periodOf(from, to),
        },
      },
      signal === undefined ? {} : { signal },
    ),
}

export const previewsSource: ListSource<PreviewLogEntry> = {
  key: 'previews',
  refreshMs: 10_000,
  load: (api, { page, pageSize, filters: { text, from, to } }, signal) =>
    api.call(
      routes.adminLog.previews,
      { query: { page, size: pageSize, text, ...periodOf(from, to) } },
      signal === undefined ? {} : { signal },
    ),
}

/** Days of the reader's zone, as `YYYY-MM-DD`, both included. */
function periodOf(from: string | undefined, to: string | undefined) {
  return { from: startOfDay(from), to: endOfDay(to) }
}
