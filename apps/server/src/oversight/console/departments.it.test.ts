import { mariadbUrl } from '@godwit/testkit/engines'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RecordChange } from '../../foundation/operation-log/index.ts'
import { atOnce } from '../../testing/at-once.ts'
import { callerCtx, openWorld, type World } from '../../testing/worlds.ts'
import type { ConsoleCall, ConsoleDeps } from './console.types.ts'
import { addDepartment, editDepartment, listDepartments, removeDepartment } from './departments.service.ts'

describe('departments that two administrators change at once, on MariaDB', () => {
  let world: World
  let deps: ConsoleDeps
  beforeEach(async () => {
    world = await openWorld(await mariadbUrl())
    deps = { db: world.database.db, clock: world.clock, idleMs: 0 }
  })
  afterEach(async () => world[Symbol.asyncDispose]())

  const call = (record: RecordChange = () => Promise.resolve()) =>
    ({ ctx: callerCtx(), record }) as unknown as ConsoleCall
  const add = (name: string) => addDepartment(deps, call(), { name, parentId: 0 })
  const both = (first: (call: ConsoleCall) => Promise<unknown>, second: (call: ConsoleCall) => Promise<unknown>) =>
    atOnce(
      deps.db,
      (pause) => first(call(pause)),
      () => second(call()),
    )

  it('never end in a loop, in which both would be out of the tree', async () => {
    const [sales, support] = [await add('Sales'), await add('Support')]
    const move = (id: number, parentId: number) => (by: ConsoleCall) =>
      editDepartment(deps, by, { id, change: { revision: 1, parentId } })
    expect(await both(move(sales.id, support.id), move(support.id, sales.id))).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { code: 'DEPARTMENT_CYCLE' } },
    ])
    expect(await listDepartments(deps.db)).toMatchObject([
      { name: 'Sales', parentId: support.id },
      { name: 'Support', parentId: 0 },
    ])
  })

  it('leave none below one that is gone', async () => {
    const { id } = await add('Sales')
    const outcomes = await both(
      (by) => removeDepartment(deps, by, id),
      (by) => addDepartment(deps, by, { name: 'Abroad', parentId: id }),
    )
    expect(outcomes).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { code: 'DEPARTMENT_NOT_FOUND' } },
    ])
    expect(await listDepartments(deps.db)).toEqual([])
  })
})
