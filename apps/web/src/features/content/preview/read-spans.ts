import type { PreviewFilm, PreviewPages } from '@godwit/contract'
import { ApiError, serverUnavailable } from '@godwit/contract/wire/api-error'

/** Bytes of a previewed file from `start` up to, but not including, `end`. @throws ApiError */
export async function readSpan(url: string, start: number, end: number, signal: AbortSignal): Promise<Uint8Array> {
  const answer = await openSpan(url, start, end, signal)
  const bytes = new Uint8Array(await answer.arrayBuffer())
  return answer.status === 200 ? bytes.subarray(start, end) : bytes
}

/** The same as an answer whose body is still on its way; a server without ranges sends the whole file. @throws ApiError */
export async function openSpan(url: string, start: number, end: number, signal: AbortSignal): Promise<Response> {
  const answer = await answerTo(url, { headers: { range: `bytes=${start}-${end - 1}` }, signal })
  if (answer.status !== 206 && answer.status !== 200) throw await refusalOf(answer)
  return answer
}

/** What a previewed document says of its pages. @throws ApiError */
export async function readPages(url: string, signal: AbortSignal): Promise<PreviewPages> {
  const answer = await answerTo(`${url}&page=0`, { signal })
  if (!answer.ok) throw await refusalOf(answer)
  return (await answer.json()) as PreviewPages
}

/** How a previewed film or sound can be played. @throws ApiError */
export async function readFilm(url: string, signal: AbortSignal): Promise<PreviewFilm> {
  const answer = await answerTo(`${url}&stream=plan`, { signal })
  if (!answer.ok) throw await refusalOf(answer)
  return (await answer.json()) as PreviewFilm
}

async function answerTo(url: string, options: RequestInit & { readonly signal: AbortSignal }): Promise<Response> {
  try {
    return await fetch(url, options)
  } catch (cause) {
    options.signal.throwIfAborted()
    throw serverUnavailable({}, { cause })
  }
}

async function refusalOf(answer: Response): Promise<ApiError> {
  const { status } = answer
  try {
    const { code, message, data } = (await answer.json()) as { code: number; message: string; data?: ApiError['data'] }
    return new ApiError({ code, status, message, ...(data === undefined ? {} : { data }) })
  } catch (cause) {
    return serverUnavailable({ status }, { cause })
  }
}
