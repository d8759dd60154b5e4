import { INCOMING } from '@godwit/contract/content/incoming'
import { keepingOf } from './shell-cache.ts'
import { receive } from './receive.ts'

/** What a worker between the page and the network has; the page's own types do not know it. */
interface FetchEvent extends Event {
  readonly request: Request
  respondWith(answer: Promise<Response>): void
}

interface LifeEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}

interface WorkerScope {
  skipWaiting(): Promise<void>
  readonly clients: { claim(): Promise<void> }
  addEventListener(type: 'install' | 'activate', listener: (event: LifeEvent) => void): void
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void
}

const CACHE = 'godwit-shell-1'
const PAGE = '/'

const scope = globalThis as unknown as WorkerScope

scope.addEventListener('install', (event) => {
  event.waitUntil(Promise.all([freshPage(new Request(PAGE)), scope.skipWaiting()]))
})

scope.addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([dropOldCaches(), scope.clients.claim()]))
})

scope.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (origin !== location.origin) return
  const asked = { method: request.method, isNavigation: request.mode === 'navigate', path: pathname }
  switch (keepingOf(asked)) {
    case 'page':
      return event.respondWith(page(freshPage(request)))
    case 'drawn':
      return event.respondWith(page(fetch(request)))
    case 'piece':
      return event.respondWith(piece(request))
    case 'fixture':
      return event.respondWith(fixture(request))
    case 'incoming':
      return event.respondWith(receive(request))
    case 'nothing':
  }
})

/** The network's page; the kept one when there is no answer. */
async function page(answer: Promise<Response>): Promise<Response> {
  try {
    return await answer
  } catch (error) {
    return kept(PAGE, error)
  }
}

/** Keeps the page under one name: the address asked for, which may name somebody's folder, is not stored. */
async function freshPage(request: Request): Promise<Response> {
  const answer = await fetch(request)
  if (!answer.ok || answer.redirected || answer.headers.get('content-type')?.startsWith('text/html') !== true)
    return answer
  const cache = await caches.open(CACHE)
  const before = await cache.match(PAGE)
  const [fresh, old] = await Promise.all([answer.clone().text(), before?.text()])
  if (fresh === old) return answer
  // A page of another version brings other pieces: those of the old one would stay for ever.
  if (old !== undefined) await caches.delete(CACHE)
  await (await caches.open(CACHE)).put(PAGE, answer.clone())
  return answer
}

async function piece(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE)
  return (await cache.match(request)) ?? keep(request)
}

async function fixture(request: Request): Promise<Response> {
  try {
    return await keep(request)
  } catch (error) {
    return kept(request, error)
  }
}

async function keep(request: Request): Promise<Response> {
  const answer = await fetch(request)
  if (answer.status === 200) await (await caches.open(CACHE)).put(request, answer.clone())
  return answer
}

async function kept(request: RequestInfo, because: unknown): Promise<Response> {
  const answer = await (await caches.open(CACHE)).match(request)
  if (answer === undefined) throw because
  return answer
}

async function dropOldCaches(): Promise<void> {
  const names = await caches.keys()
  await Promise.all(
    names.filter((name) => name !== CACHE && name !== INCOMING.cache).map((name) => caches.delete(name)),
  )
}
