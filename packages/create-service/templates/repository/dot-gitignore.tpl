node_modules
dist
.data
.env
*.tgz
