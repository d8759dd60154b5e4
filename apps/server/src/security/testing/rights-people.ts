import type { Mount } from '../../edge/webdav/testing/dav.ts'
import { naiveVisibility, type NaiveWorld } from '../../content/access/testing/naive-policy.ts'
import type { Tree } from './rights-trees.ts'

/** Where a path of a person leads: the home, the virtual directory in it, or the library of the group. */
export type PlaceName = 'home' | 'mount' | 'group'
export const PLACES = ['home', 'mount', 'group'] as const

export type Level = NaiveWorld['levels'][number]
export type Worlds = Readonly<Record<PlaceName, NaiveWorld>>
/** Everything that a person’s paths can lead to, as the disk has it. */
export type Trees = Readonly<Record<PlaceName, Tree>>

export interface PersonFacts {
  readonly account: string
  readonly dav: Mount
  /** Names and contents that this person could see at some time. */
  readonly known: Set<string>
  /** Stands in the worlds of all places. */
  readonly rules: Level
  /** By place, as the rules of access are written. */
  readonly worlds: Worlds
}

/** What a person may do and see, as the naive rules say it. They are slow: each answer is kept until the rules change. */
export class Person {
  readonly account: string
  readonly dav: Mount
  readonly worlds: Worlds
  readonly #known: Set<string>
  readonly #rules: Level
  #rulesText: string
  readonly #shown: Readonly<Record<PlaceName, Map<string, 'full' | 'way' | 'hidden'>>>
  #hidden: { readonly trees: Trees; readonly tokens: ReadonlySet<string> } | undefined

  constructor({ account, dav, known, rules, worlds }: PersonFacts) {
    this.account = account
    this.dav = dav
    this.worlds = worlds
    this.#known = known
    this.#rules = rules
    this.#rulesText = JSON.stringify(rules)
    this.#shown = { home: new Map(), mount: new Map(), group: new Map() }
  }

  knows(token: string): boolean {
    return this.#known.has(token)
  }

  /** Takes over what the rules have become: they follow what others move. */
  follow(rulesText: string): void {
    if (rulesText === this.#rulesText) return
    this.#rulesText = rulesText
    Object.assign(this.#rules, JSON.parse(rulesText))
    for (const place of PLACES) this.#shown[place].clear()
    this.#hidden = undefined
  }

  /** Whether an entry exists for the person. What is shown as the way to something else is a folder. */
  isShown(place: PlaceName, at: string, isFolder: boolean): boolean {
    let seen = this.#shown[place].get(at)
    if (seen === undefined) {
      seen = naiveVisibility(this.worlds[place], at)
      this.#shown[place].set(at, seen)
    }
    return seen === 'full' || (seen === 'way' && isFolder)
  }

  /** Notes what the person could see in the group: a change by somebody else may hide it before the person looks. */
  noteShown(group: Tree): void {
    for (const [at, { text, tokens }] of group)
      if (this.isShown('group', at, text === null)) for (const token of tokens) this.#known.add(token)
  }

  /** Tokens that lie in the person’s places and in none of them where the person can see them. What can be seen is noted as known. */
  hidden(trees: Trees): ReadonlySet<string> {
    const last = this.#hidden
    if (last !== undefined && PLACES.every((place) => last.trees[place] === trees[place])) return last.tokens
    const [shown, hidden] = [new Set<string>(), new Set<string>()]
    for (const place of PLACES) {
      for (const [at, { text, tokens }] of trees[place]) {
        const those = this.isShown(place, at, text === null) ? shown : hidden
        for (const token of tokens) those.add(token)
      }
    }
    for (const token of shown) {
      this.#known.add(token)
      hidden.delete(token)
    }
    this.#hidden = { trees, tokens: hidden }
    return hidden
  }
}
