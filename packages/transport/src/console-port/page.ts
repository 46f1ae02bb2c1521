/** The plain page that stands where the console will be. It knows nothing before it has a session. */
export const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Palyra</title>
<link rel="stylesheet" href="/console.css">
<script src="/console.js" defer></script>
</head>
<body>
<main>
<h1>Palyra</h1>
<section id="stranger">
<p>To open the console, run this on a paired device:</p>
<p><code>palyra console</code></p>
<p id="trouble" role="alert"></p>
</section>
<section id="known" hidden>
<p class="state"><span id="light" aria-hidden="true"></span><strong id="readiness"></strong></p>
<dl id="facts"></dl>
<h2 id="missing-title" hidden>Not there yet</h2>
<ul id="missing"></ul>
<p><button id="leave" type="button">End this session</button></p>
</section>
</main>
</body>
</html>
`;

export const STYLE = `:root {
  --ground: #f6f5f2; --card: #ffffff; --ink: #1d1f23; --soft: #62666f; --line: #e2e0da;
  --good: #2f8f5b; --bad: #b3413a; --wait: #b7862b;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #16181c; --card: #1f2228; --ink: #e9e8e4; --soft: #9a9fa9; --line: #31353d;
    --good: #5cc48b; --bad: #e57c74; --wait: #e0b35a;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem;
  background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif;
}
main {
  width: min(36rem, 100%); padding: 2rem; border: 1px solid var(--line); border-radius: 14px;
  background: var(--card);
}
h1 { margin: 0 0 1rem; font-size: 1.35rem; letter-spacing: 0.01em; }
h2 { margin: 1.5rem 0 0.5rem; font-size: 1rem; }
p { margin: 0.5rem 0; }
code { padding: 0.15rem 0.45rem; border-radius: 6px; background: var(--ground); font-size: 0.95em; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.35rem 1.25rem; margin: 1rem 0; }
dt, li small { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
ul { margin: 0; padding-left: 1.1rem; }
li { margin: 0.35rem 0; }
li small { display: block; }
.state { display: flex; align-items: center; gap: 0.6rem; }
#light { width: 0.7rem; height: 0.7rem; border-radius: 50%; background: var(--wait); }
#light.good { background: var(--good); }
#light.bad { background: var(--bad); }
#trouble { color: var(--bad); }
#trouble:empty { display: none; }
#leave { margin-top: 1.25rem; }
button {
  padding: 0.45rem 0.9rem; border: 1px solid var(--line); border-radius: 8px;
  background: transparent; color: inherit; font: inherit; cursor: pointer;
}
button:hover, button:focus-visible { border-color: var(--ink); }
`;
