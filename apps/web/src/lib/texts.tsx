import { errorSpec } from '@godwit/contract/errors/catalogue'
import { ApiError } from '@godwit/contract/wire/api-error'
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react'
import { IntlMessageFormat } from 'intl-messageformat'
import type { NameFault } from '@godwit/contract/names'
import type { PasswordFault } from '@godwit/contract/passwords'
import { type Locale, LOCALES, pickLocale } from '@godwit/i18n/locales'
import { errorMessage } from '@godwit/i18n/error-message'
import {
  type ErrorTexts,
  loadErrorTexts,
  loadPortalTexts,
  loadTextBundle,
  type PortalKey,
  type PortalTexts,
  type TextBundle,
} from '@godwit/i18n/portal'
import { loadPart, MissingPart } from './load-part.ts'
import { pseudo } from './pseudo.ts'
import { createStore, type Store, useStore } from './store.ts'
import { onStoredElsewhere, readStored, writeStored } from './storage.ts'

export type { PortalKey, TextBundle } from '@godwit/i18n/portal'
export type { Locale } from '@godwit/i18n/locales'
export { LOCALES } from '@godwit/i18n/locales'

export type TextValues = Readonly<Record<string, string | number>>

/** The texts of one language, ready to be formatted. */
export interface Texts {
  readonly locale: Locale
  (key: PortalKey, values?: TextValues): string
  /** What a person reads about an error, by its code; until the texts of errors are there, the server's own message. */
  readonly failure: (error: unknown) => string
  /** Code and request of a refusal, by which it is found in the documentation and in the log; undefined for other errors. */
  readonly reference: (error: unknown) => string | undefined
  /** Fetches the texts of errors ahead of the first one. */
  readonly prepare: () => void
  readonly nameFault: (fault: NameFault) => string
  readonly passwordFault: (fault: PasswordFault) => string
}

const LOCALE_KEY = 'godwit.locale'
const PSEUDO_KEY = 'godwit.pseudo'

export function createLocaleStore(): Store<Locale> {
  const known = (text: string | undefined): Locale | undefined => LOCALES.find((locale) => locale === text)
  const store = createStore<Locale>(known(readStored(LOCALE_KEY)) ?? pickLocale(navigator.language))
  store.subscribe(() => writeStored(LOCALE_KEY, store.get()))
  // All tabs speak one language: a switch in one of them is followed by the others.
  onStoredElsewhere(LOCALE_KEY, (text) => store.set(known(text) ?? store.get()))
  document.documentElement.lang = store.get()
  return store
}

const TextsContext = createContext<Texts | undefined>(undefined)
const LocaleContext = createContext<Store<Locale> | undefined>(undefined)
const NO_BUNDLES: ReadonlySet<TextBundle> = new Set()
const BundlesContext = createContext({ loaded: NO_BUNDLES, load: (_name: TextBundle): void => undefined })

export function useTexts(): Texts {
  const texts = use(TextsContext)
  if (texts === undefined) throw new Error('no texts around this component')
  return texts
}

export function useLocaleStore(): Store<Locale> {
  const store = use(LocaleContext)
  if (store === undefined) throw new Error('no locale around this component')
  return store
}

/** Asks for the texts that a part of the page needs, if it needs any. @returns whether they are there */
export function useTextBundle(name: TextBundle | undefined): boolean {
  const { loaded, load } = use(BundlesContext)
  useEffect(() => {
    if (name !== undefined) load(name)
  }, [load, name])
  return name === undefined || loaded.has(name)
}

const loaded = new Map<string, PortalTexts>()

async function loadTexts(locale: Locale, bundles: ReadonlySet<TextBundle>): Promise<PortalTexts> {
  const key = [locale, ...bundles].join(' ')
  const known = loaded.get(key)
  if (known !== undefined) return known
  const [first, ...others] = await Promise.all([
    loadPart(() => loadPortalTexts(locale)),
    ...[...bundles].map((name) => loadPart(() => loadTextBundle(locale, name))),
  ])
  const texts = Object.assign({}, first, ...others) as PortalTexts
  const shown = readStored(PSEUDO_KEY) === 'on' ? pseudo(texts) : texts
  loaded.set(key, shown)
  return shown
}

const RETRY_MS = 2_000

/**
 * Without its texts a page can say nothing, not even that they did not come, so they are asked for until they are there.
 * @returns a function that gives up
 */
function retryUntilLoaded<Value>(load: () => Promise<Value>, onLoaded: (value: Value) => void): () => void {
  let isWanted = true
  let timer: ReturnType<typeof setTimeout> | undefined
  const attempt = (): void => {
    load().then(
      (value) => isWanted && onLoaded(value),
      () => {
        if (isWanted) timer = setTimeout(attempt, RETRY_MS)
      },
    )
  }
  attempt()
  return () => {
    isWanted = false
    clearTimeout(timer)
  }
}

/** Loads the language before the first paint; a switch keeps the old one on the screen until the new one is there. */
export function TextsProvider({ store, children }: { readonly store: Store<Locale>; readonly children: ReactNode }) {
  const wanted = useStore(store)
  const [bundles, setBundles] = useState(NO_BUNDLES)
  const [shown, setShown] = useState<{ locale: Locale; portal: PortalTexts; bundles: ReadonlySet<TextBundle> }>()
  const [errors, setErrors] = useState<{ locale: Locale; texts: ErrorTexts }>()
  useEffect(
    () =>
      retryUntilLoaded(
        () => loadTexts(wanted, bundles),
        (portal) => setShown({ locale: wanted, portal, bundles }),
      ),
    [wanted, bundles],
  )
  const [needsErrors, setNeedsErrors] = useState(false)
  useEffect(() => {
    if (!needsErrors) return
    return retryUntilLoaded(
      () => loadPart(() => loadErrorTexts(wanted)),
      (texts) => setErrors({ locale: wanted, texts }),
    )
  }, [wanted, needsErrors])
  const texts = useMemo(
    () =>
      shown === undefined
        ? undefined
        : createTexts(shown.locale, shown.portal, errors?.locale === shown.locale ? errors.texts : undefined, () =>
            // Asked for while something renders, so not in the same breath.
            queueMicrotask(() => setNeedsErrors(true)),
          ),
    [shown, errors],
  )
  // What a screen reader reads out is the language that is on the screen, not the one still being loaded.
  useEffect(() => {
    if (shown !== undefined) document.documentElement.lang = shown.locale
  }, [shown])
  const load = useCallback(
    (name: TextBundle): void => setBundles((known) => (known.has(name) ? known : new Set([...known, name]))),
    [],
  )
  const loaded = shown?.bundles ?? NO_BUNDLES
  const parts = useMemo(() => ({ loaded, load }), [loaded, load])
  if (texts === undefined) return null
  return (
    <LocaleContext value={store}>
      <BundlesContext value={parts}>
        <TextsContext value={texts}>{children}</TextsContext>
      </BundlesContext>
    </LocaleContext>
  )
}

/** Texts of one language that are there already, for what is drawn once. */
export function FixedTexts({ texts, children }: { readonly texts: Texts; readonly children: ReactNode }) {
  return (
    <LocaleContext value={createStore(texts.locale)}>
      <TextsContext value={texts}>{children}</TextsContext>
    </LocaleContext>
  )
}

/** What makes a text more than itself: a value, or an escape. */
const ICU_MARKS = /[{'<]/

/** @param needErrors called when an error is to be shown and its texts are not there yet; until then the server's message is */
export function createTexts(
  locale: Locale,
  portal: PortalTexts,
  errors: ErrorTexts | undefined,
  needErrors: () => void,
): Texts {
  const parsed = new Map<PortalKey, IntlMessageFormat>()
  const text = (key: PortalKey, values?: TextValues): string => {
    const message = portal[key]
    // A text of a bundle that is still on its way.
    if (message === undefined) return key
    if (!ICU_MARKS.test(message)) return message
    const known = parsed.get(key) ?? new IntlMessageFormat(message, locale)
    parsed.set(key, known)
    return String(known.format(values))
  }
  const known = (): ErrorTexts | undefined => {
    if (errors === undefined) needErrors()
    return errors
  }
  return Object.assign(text, {
    locale,
    prepare: () => void known(),
    failure: (error: unknown) => failureText(error, text, known()),
    reference: (error: unknown) => referenceOf(error, text),
    nameFault: (fault: NameFault) => known()?.names[fault] ?? text('common.required'),
    passwordFault: (fault: PasswordFault) => known()?.passwords[fault] ?? text('password.weak'),
  })
}

type Format = (key: PortalKey, values?: TextValues) => string

function failureText(error: unknown, text: Format, errors: ErrorTexts | undefined): string {
  if (error instanceof MissingPart) return text('app.part.title')
  if (!(error instanceof ApiError) || error.code === 0) return text('app.unreachable')
  if (errors !== undefined) return errorMessage(errors, error)
  return error.message === '' ? text('error.code', { code: error.code }) : error.message
}

function referenceOf(error: unknown, text: Format): string | undefined {
  if (!(error instanceof ApiError) || error.code === 0) return undefined
  const { code, data } = error
  const id = hasOwnCure(error) ? undefined : data['requestId']
  return typeof id === 'string' ? text('error.code-and-request', { code, id }) : text('error.code', { code })
}

/** A wrong password or a taken name is put right by whoever typed it; nobody looks such a request up in a log. */
function hasOwnCure({ name }: ApiError): boolean {
  return name !== 'UNKNOWN' && name !== 'SERVER_UNAVAILABLE' && errorSpec(name).retry === 'change'
}
