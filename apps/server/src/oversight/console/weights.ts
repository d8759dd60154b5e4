import { SPEED_SETTINGS } from '../../content/account-speeds/index.ts'
import {
  createSettingsEditor,
  settingRegistry,
  settingsStore,
  type SettingsEditorDeps,
} from '../../foundation/settings/index.ts'
import type { UserCtx } from '../../kernel/context.ts'
import type { Db, Tx } from '../../kernel/db/index.ts'

/** What the settings need to keep a weight, with its history. */
export type WeightDeps = Pick<SettingsEditorDeps, 'clock' | 'ids' | 'dialect'>

/** Whose weight it is. */
export type WeightTarget = { readonly userId: string } | { readonly groupId: number } | { readonly spaceId: number }

const KEY = 'transfer.weight'
const { schema: WEIGHT } = SPEED_SETTINGS.specs[KEY]

/** The weight that somebody, or everybody in a place, has of their own in limits that several share. */
export async function weightOf(db: Db | Tx, target: WeightTarget): Promise<number | null> {
  const { scope, id } = placeOf(target)
  return (await weightsOf(db, scope, [id])).get(id) ?? null
}

/** The same of many, in one query; those that have none are left out. */
export async function weightsOf<Id extends string | number>(
  db: Db | Tx,
  scope: 'user' | 'group' | 'space',
  ids: readonly Id[],
): Promise<ReadonlyMap<Id, number>> {
  if (ids.length === 0) return new Map()
  const places = ids.map((id) => ({ scope, scopeId: String(id) }))
  const rows = (await settingsStore.at(db, places)).filter(({ name }) => name === KEY)
  const stored = new Map(rows.map(({ scope_id: id, value }) => [id, WEIGHT.safeParse(JSON.parse(value)).data]))
  return new Map(
    ids.flatMap((id) => {
      const weight = stored.get(String(id))
      return weight === undefined ? [] : [[id, weight] as const]
    }),
  )
}

/** Sets a weight as a setting of its owner, in the transaction of the other fields. Null takes it away. */
export async function setWeight(
  deps: WeightDeps,
  tx: Tx,
  { ctx, target, weight }: { readonly ctx: UserCtx; readonly target: WeightTarget; readonly weight: number | null },
): Promise<void> {
  const editor = createSettingsEditor({ ...deps, db: tx, registry: settingRegistry([SPEED_SETTINGS]) })
  const by = { kind: 'account', id: ctx.principal.id, isAdmin: true } as const
  await editor.setAll([{ key: KEY, value: weight }], { target, by, door: 'http' })
}

function placeOf(target: WeightTarget) {
  if ('userId' in target) return { scope: 'user', id: target.userId } as const
  if ('groupId' in target) return { scope: 'group', id: target.groupId } as const
  return { scope: 'space', id: target.spaceId } as const
}
