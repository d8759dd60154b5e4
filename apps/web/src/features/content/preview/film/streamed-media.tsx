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
    playStream(media, `${file.url}&stream=main`, closed.signal).catch((error: unknown) => {
      if (!closed.signal.aborted) broken.current(error)
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
