import { useEffect, useRef } from 'react'
import { posterOf } from '../direct-media.tsx'
import styles from '../preview.module.css'
import type { ViewProps } from '../view-props.ts'
import { playStream } from './play-stream.ts'

/** Plays what the server makes of a film or sound. */
export function StreamedMedia({ file, onBroken }: ViewProps) {
  const element = useRef<HTMLVideoElement>(null)
  const broken = useRef(onBroken)
  useEffect(() => {
    broken.current = onBroken
  })
  useEffect(() => {
    const media = element.current
    if (media === null) return undefined
    const closed = new AbortController()
    const { signal } = closed
    // What ends takes its place in the film along.
    let reached = 0
    media.addEventListener('timeupdate', () => (reached = media.currentTime || reached), { signal })
    const play = async (): Promise<void> => {
      try {
        await playStream(media, `${file.url}&stream=main`, signal)
      } catch {
        // It may have been the film as it is, which this browser does not take: then one that is made of it, from there on.
        if (!signal.aborted) await playStream(media, `${file.url}&stream=low`, signal, reached)
      }
    }
    play().catch((error: unknown) => {
      if (!signal.aborted) broken.current(error)
    })
    return () => closed.abort()
  }, [file.url])
  return (
    <div className={styles['media']}>
      {file.view === 'video' ? (
        <video ref={element} poster={posterOf(file)} controls playsInline aria-label={file.name} />
      ) : (
        <audio ref={element} controls aria-label={file.name} />
      )}
    </div>
  )
}
