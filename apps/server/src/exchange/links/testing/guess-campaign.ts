import { randomBytes, randomInt } from 'node:crypto'
import { openSite, type Site } from '../../../security/testing/sites.ts'
import type { Answer } from '../../../security/testing/wire.ts'
import { openSharing } from './guests.ts'

export interface GuessCampaign {
  readonly guesses: number
  /** Networks that the guesses come from in turn. */
  readonly addresses: number
}

export interface GuessTally {
  /** Guesses that opened a link or learnt that an address is one. */
  readonly through: number
  /** Passwords that were compared. */
  readonly compared: number
  /** Guesses that were refused before anything was looked up. */
  readonly refused: number
  readonly honest: number
  /** Answers to honest guests other than the visit that they came for. */
  readonly honestRefused: readonly string[]
  /** Milliseconds of the median honest guest: before anybody guesses, and meanwhile. */
  readonly medianMs: readonly [number, number]
}

const LINKS = 20
/** Guesses under way at once. */
const AT_ONCE = 64
const HONEST_ALONE = 20
/** As the dialog makes them. */
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const PASSWORD_LENGTH = 4

/**
 * Guesses at passwords of known links and at addresses of links that nobody knows, while guests who know theirs open one after
 * the other, each for the first time.
 */
export async function guessLinks({ guesses, addresses }: GuessCampaign): Promise<GuessTally> {
  await using site = await openSite({ env: { GODWIT_TRUSTED_PROXIES: '127.0.0.1' } })
  const owner = await openSharing(site, 'mei')
  owner.put('plan.txt', 'the plan')
  const links: Array<{ readonly url: string; readonly passwd: string }> = []
  for (let at = 0; at < LINKS; at++) {
    const passwd = word()
    links.push({
      passwd,
      url: await owner.link({ shareFiles: ['plan.txt'], needPassword: true, shareUrlPasswd: passwd }),
    })
  }
  const guests = honestGuests(site, links)
  for (let at = 0; at < HONEST_ALONE; at++) await guests.comes()
  const before = guests.median()
  const tally = { through: 0, compared: 0, refused: 0 }
  let begun = 0
  const guess = async (): Promise<void> => {
    while (begun < guesses) {
      const at = begun++
      const address = `10.${(at % addresses) >> 8}.${(at % addresses) & 255}.7`
      const link = links[randomInt(LINKS)]
      // Every other one guesses at the address of a link.
      const isOfLink = at % 2 === 0 && link !== undefined
      const answer = await verifyFrom(site, address, {
        url: isOfLink ? link.url : randomBytes(16).toString('hex'),
        passwd: word(),
      })
      if (answer.code === RATE_LIMITED) tally.refused += 1
      else if (answer.code === WRONG && isOfLink) tally.compared += 1
      else if (answer.code !== NOT_FOUND || isOfLink) tally.through += 1
    }
  }
  const attack = Promise.all(Array.from({ length: AT_ONCE }, guess))
  let isOver = false
  void attack.finally(() => (isOver = true))
  const meanwhile = honestGuests(site, links, HONEST_ALONE)
  do await meanwhile.comes()
  while (!isOver)
  await attack
  return {
    ...tally,
    honest: meanwhile.count(),
    honestRefused: [...guests.refused, ...meanwhile.refused],
    medianMs: [before, meanwhile.median()],
  }
}

const RATE_LIMITED = 5004
const WRONG = 5603
const NOT_FOUND = 4025

function word(): string {
  return Array.from({ length: PASSWORD_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')
}

function verifyFrom(site: Site, address: string, json: object): Promise<Answer> {
  const headers = { 'x-forwarded-for': address }
  return site.ask({ method: 'POST', path: '/api/share/link/verify/url', headers, json })
}

/** Guests who know the password, each from an address of their own. */
function honestGuests(site: Site, links: ReadonlyArray<{ readonly url: string; readonly passwd: string }>, from = 0) {
  const times: number[] = []
  const refused: string[] = []
  return {
    refused,
    count: () => times.length,
    median: () => Math.round(times.toSorted((one, other) => one - other)[times.length >> 1] ?? Number.NaN),
    async comes(): Promise<void> {
      const at = from + times.length
      const start = performance.now()
      const answer = await verifyFrom(site, `172.16.${(at >> 8) & 255}.${at & 255}`, links[at % links.length] ?? {})
      times.push(performance.now() - start)
      if (answer.data['result'] !== true) refused.push(answer.text)
    },
  }
}
