import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { applyTheme } from './theme.ts';
import './design/tokens.css';
import './design/base.css';
import './design/parts.css';
import './design/tables.css';
import './design/shell.css';
import './design/library.css';
import './design/song.css';
import './design/song-tabs.css';
import './design/settings.css';
import './design/front.css';

applyTheme();
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
