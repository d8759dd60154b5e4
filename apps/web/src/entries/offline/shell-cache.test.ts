import { describe, expect, it } from 'vitest'
import { keepingOf } from './shell-cache.ts'

const asked = (path: string, isNavigation = false, method = 'GET') => keepingOf({ path, isNavigation, method })

describe('what a browser keeps for when it is offline', () => {
  it('is the page and its pieces', () => {
    for (const path of ['/', '/personal', '/link/share', '/signing', '/shared'])
      expect(asked(path, true), path).toBe('page')
    expect(asked('/assets/portal-CxkonNju.js')).toBe('piece')
    expect(asked('/assets/index-D-_2nN9u.css')).toBe('piece')
    expect(asked('/assets/theme.js')).toBe('fixture')
    expect(asked('/assets/godwit.svg')).toBe('fixture')
  })

  it('is not the page that the server draws for who signs in: it would throw the pieces away with the other', () => {
    for (const path of ['/signin', '/signin/callback']) expect(asked(path, true), path).toBe('drawn')
  })

  it('is what other apps share, which never goes over the network', () => {
    expect(asked('/incoming', true, 'POST')).toBe('incoming')
    expect(asked('/incoming', true)).toBe('page')
    expect(asked('/incoming', false, 'POST')).toBe('nothing')
    expect(asked('/personal', true, 'POST')).toBe('nothing')
  })

  it('is never an answer of the server, whoever asks', () => {
    const paths = [
      '/api/user/info',
      '/api/files/content',
      '/files/uploads/1',
      '/download/exe',
      '/customize/logo',
      '/ws/files',
    ]
    for (const path of paths) {
      expect(asked(path), path).toBe('nothing')
      expect(asked(path, true), path).toBe('nothing')
    }
    expect(asked('/share/abc', true)).toBe('nothing')
    expect(asked('/report.pdf', true)).toBe('nothing')
  })

  it('is nothing that was sent', () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'HEAD']) {
      expect(asked('/personal', true, method)).toBe('nothing')
      expect(asked('/assets/portal-CxkonNju.js', false, method)).toBe('nothing')
    }
  })
})
