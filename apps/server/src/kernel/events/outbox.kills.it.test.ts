import { mariadbUrl } from '@godwit/testkit/engines'
import { expect, it } from 'vitest'
import { deliverAmongKills } from './testing/killed-nodes.ts'

it('10,000 events are handled once each and in order, though both nodes are killed in turns', async () => {
  const { paths, shares } = await deliverAmongKills(await mariadbUrl(), { events: 10_000, kills: 4 })
  expect(paths).toEqual(Array.from({ length: 10_000 }, (_, n) => `/${n}`))
  expect(Object.keys(shares).toSorted()).toEqual(['first', 'second'])
})
