/** All of nginx's configuration around a site, for a folder of its own, with modules by their paths. */
export function nginxAround(folder: string, site: string, modules: readonly string[] = []): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  return `${modules.map((path) => `load_module ${path};\n`).join("")}daemon off;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
${process.getuid?.() === 0 ? "user root;\n" : ""}worker_processes 1;
events { worker_connections 1024; }
http {
  access_log off;
  ${temporary.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join("\n  ")}
  include ${site};
}
`;
}
