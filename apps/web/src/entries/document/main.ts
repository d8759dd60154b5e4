import { renderAsync } from 'docx-preview'
import type { DocumentReply } from '../../features/content/preview/index.ts'
import './document.css'

/**
 * Draws one text document. The page stands in a frame without an origin, without connections and under a policy of its own, so
 * whatever a document holds reaches neither the session nor the network.
 */
function reply(message: DocumentReply): void {
  parent.postMessage(message, '*')
}

async function draw(content: ArrayBuffer): Promise<void> {
  try {
    await renderAsync(content, document.body, document.head, {
      ignoreLastRenderedPageBreak: false,
      renderAltChunks: false,
      renderComments: false,
    })
    reply({ kind: 'shown' })
  } catch (error) {
    reply({ kind: 'failed', reason: String(error) })
  }
}

addEventListener('message', ({ source, data }: MessageEvent<unknown>) => {
  if (source === parent && data instanceof ArrayBuffer) void draw(data)
})
reply({ kind: 'ready' })
