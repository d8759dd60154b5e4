import type { adminSettingRoutes, SettingTab } from '@godwit/contract'
import { loggedEndpoint, type OperationLogDeps } from '../../foundation/operation-log/index.ts'
import { endpoint, type Endpoint } from '../../kernel/endpoint.ts'
import { changeSettings, listSettings, settingHistory, type ConsoleSettingsDeps } from './console-settings.service.ts'

export interface SettingDoors {
  readonly routes: typeof adminSettingRoutes
  /** The settings that they are about; others do not exist for them. */
  readonly tabs: readonly SettingTab[]
}

export function settingEndpoints(
  deps: ConsoleSettingsDeps,
  log: OperationLogDeps,
  { routes: { list, edit, history }, tabs }: SettingDoors,
): Endpoint[] {
  return [
    endpoint(list, async () => ({ settings: await listSettings(deps, tabs) })),
    loggedEndpoint(log, edit, async (ctx, { body }, record) => {
      await changeSettings(deps, { ctx, record, tabs }, body.changes)
      return { settings: await listSettings(deps, tabs) }
    }),
    endpoint(history, (_ctx, { query }) => settingHistory(deps, tabs, query)),
  ]
}
