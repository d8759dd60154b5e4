import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PageAnswers } from '../../kernel/feature.ts'
import type { ContextFactory } from './context.ts'

export interface PageAnswersDeps {
  readonly pageAnswers: readonly PageAnswers[]
  readonly contextOf: ContextFactory
}

/** Answers by the path of their route. */
export type Given = Readonly<Record<string, unknown>>

/** What a page is given with its HTML. Whatever keeps an answer back, the page asks by itself and is told why. */
export async function answersFor(
  { pageAnswers, contextOf }: PageAnswersDeps,
  under: string,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): Promise<Given> {
  const own = pageAnswers.filter((each) => each.under === under)
  if (own.length === 0) return {}
  const path = request.url.split('?')[0] ?? ''
  const ctx = await contextOf(request.raw, reply.raw).catch(() => undefined)
  if (ctx === undefined) return {}
  const given = await Promise.all(own.map(async ({ answers }) => answers(ctx, path).catch(() => [])))
  // Fields of the contract and no others, as on the wire.
  return Object.fromEntries(given.flat().map(({ spec, data }) => [spec.path, spec.reply.parse(data)]))
}
