import type { FastifyInstance } from 'fastify'
import type { AcmeChallenges } from '../../foundation/acme/index.ts'

/**
 * Answers an authority that asks, without TLS, whether this host is the one that ordered a certificate (RFC 8555 §8.3).
 * Anyone may ask, whatever the address lists of the site say: the answer is no secret.
 */
export function acmePages(challenges: AcmeChallenges) {
  return (fastify: FastifyInstance): void => {
    fastify.get<{ Params: { token: string } }>('/.well-known/acme-challenge/:token', async ({ params }, reply) => {
      const answer = await challenges.answer(params.token)
      void reply.header('cache-control', 'no-store').type('text/plain')
      return answer === undefined ? reply.code(404).send('not found\n') : reply.send(answer)
    })
  }
}
