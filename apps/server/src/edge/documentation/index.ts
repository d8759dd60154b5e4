import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { DocumentPage, DocumentSource } from './render.ts'

export type { DocumentSource } from './render.ts'

/** Read when somebody asks for it: most starts serve no document, which then takes neither time nor memory. */
export interface Documentation {
  readonly documents: () => Promise<readonly DocumentSource[]>
  /** The OpenAPI document, as JSON. */
  readonly openApi: () => Promise<Buffer>
  /** Folder of the API explorer's own files. */
  readonly explorerRoot: string
}

const HEADERS = { 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY', 'cache-control': 'no-cache' } as const
const DOCUMENT_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'"
/** The explorer sets styles from script and draws its icons from data addresses. */
const EXPLORER_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'"

const EXPLORER_PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Godwit HTTP API</title><link rel="stylesheet" href="/api/docs/files/swagger-ui.css"></head>
<body><div id="api"></div><script src="/api/docs/files/swagger-ui-bundle.js"></script><script src="/api/docs/open.js"></script></body></html>`
const EXPLORER_START = `SwaggerUIBundle({ url: '/api/openapi.json', dom_id: '#api', deepLinking: true, validatorUrl: null })\n`

/**
 * `/docs/` the written documentation, `/api/openapi.json` the contract, `/api/docs/` a page to try it.
 * @param documentation undefined serves none of it
 */
export function documentationPages(documentation: Documentation | undefined) {
  return async (fastify: FastifyInstance): Promise<void> => {
    if (documentation !== undefined) await serve(fastify, documentation)
  }
}

async function serve(fastify: FastifyInstance, { documents, openApi, explorerRoot }: Documentation): Promise<void> {
  const pages = readOnce(() => renderAll(documents))
  // One copy for all: of callers that do not read, each would hold two megabytes of its own.
  const contract = readOnce(openApi)
  fastify.get('/docs', (_request, reply) => reply.redirect('/docs/'))
  fastify.get('/docs/style.css', async (_request, reply) => {
    const { STYLE } = await import('./render.ts')
    return reply.headers(HEADERS).type('text/css; charset=utf-8').send(STYLE)
  })
  fastify.get<{ Params: { '*': string } }>('/docs/*', async (request, reply) => {
    const page = (await pages()).get(request.params['*'] === '' ? 'index' : request.params['*'])
    if (!page) {
      reply.callNotFound()
      return reply
    }
    return reply
      .headers({ ...HEADERS, 'content-security-policy': DOCUMENT_POLICY })
      .type('text/html; charset=utf-8')
      .send(page.html)
  })
  fastify.get('/api/openapi.json', async (_request, reply) =>
    reply
      .headers(HEADERS)
      .type('application/json; charset=utf-8')
      .send(await contract()),
  )
  fastify.get('/api/docs', (_request, reply) => reply.redirect('/api/docs/'))
  fastify.get('/api/docs/', (_request, reply) =>
    reply
      .headers({ ...HEADERS, 'content-security-policy': EXPLORER_POLICY })
      .type('text/html; charset=utf-8')
      .send(EXPLORER_PAGE),
  )
  fastify.get('/api/docs/open.js', (_request, reply) =>
    reply.headers(HEADERS).type('text/javascript; charset=utf-8').send(EXPLORER_START),
  )
  await fastify.register(fastifyStatic, {
    root: explorerRoot,
    prefix: '/api/docs/files/',
    decorateReply: false,
    index: false,
    allowedPath: (name) => /\/swagger-ui(?:-bundle)?\.(?:css|js)$/.test(name),
  })
}

/** Reads at the first call, and keeps it; after a failure the next caller tries again. */
function readOnce<T>(read: () => Promise<T>): () => Promise<T> {
  let kept: Promise<T> | undefined
  return async () => {
    kept ??= read()
    try {
      return await kept
    } catch (thrown) {
      kept = undefined
      throw thrown
    }
  }
}

async function renderAll(documents: Documentation['documents']): Promise<ReadonlyMap<string, DocumentPage>> {
  const { renderDocuments } = await import('./render.ts')
  return renderDocuments(await documents())
}
